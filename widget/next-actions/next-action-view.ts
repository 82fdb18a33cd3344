/** The export of each file in this folder: what the customer sees for a kind of next action. */
import type { NextAction, Order } from '../../relay/contract/order.js';
import type { Screen } from '../fragments/screen.js';
import type { ViewContext } from '../fragments/view-context.js';

export type NextActionView<K extends NextAction['kind']> = (
  view: ViewContext,
  order: Order,
  action: Extract<NextAction, { kind: K }>,
) => Screen;
