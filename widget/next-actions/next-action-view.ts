/**
 * The type of the view function of each kind of next action: it returns the screen for an order
 * with that action.
 */
import type { NextAction, Order } from '../../relay/contract/order.js';
import type { Screen } from '../fragments/screen.js';
import type { ViewContext } from '../fragments/view-context.js';

export type NextActionView<K extends NextAction['kind']> = (
  view: ViewContext,
  order: Order,
  action: Extract<NextAction, { kind: K }>,
) => Screen;
