/** The export of each file in this folder: the kind of next action, its title and its view. */
import type { TemplateResult } from 'lit';
import type { NextAction, Order } from '../../relay/contract/order.js';
import type { ViewContext } from '../fragments/view-context.js';
import type { TextKey } from '../texts/en.js';

export type NextActionView<K extends NextAction['kind']> = {
  readonly kind: K;
  readonly title: TextKey;
  render(view: ViewContext, order: Order, action: Extract<NextAction, { kind: K }>): TemplateResult;
};
