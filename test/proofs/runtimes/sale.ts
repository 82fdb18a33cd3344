/** Steps that the tests of all runtimes share: a page pays, the bank confirms, the backend asks. */
import assert from 'node:assert/strict';
import type { z } from 'zod';
import { endpoints } from '../../../relay/contract/endpoints.js';
import type { Order } from '../../../relay/contract/order.js';
import { openIntent } from '../../suite/support/world.js';
import { bearer, type Answer, type World } from './world.js';

export const PAID = 20;

/** The fields of a page that pays; each call is another attempt. */
export const newPay = (change: Record<string, unknown> = {}): Record<string, unknown> => ({
  ...openIntent,
  attempt: crypto.randomUUID(),
  option: 'qr',
  ...change,
});

/** Reads an answer by the contract. */
export function read<Schema extends z.ZodType>(schema: Schema, answer: Answer): z.infer<Schema> {
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return schema.parse(answer.body);
}

export const codeOf = ({ body }: Answer): string | undefined =>
  (body as { error?: { code?: string } }).error?.code;

export const pay = async (world: World, fields = newPay()): Promise<Order> =>
  read(endpoints.pay.response, await world.ask('/v1/pay', fields)).order;

/** Changes the status of an order at the service; by default the customer has paid. */
export function setStatus(world: World, requestId: string, status = PAID): void {
  const placed = world.sandbox.orders.byRequest(requestId);
  assert.ok(placed, `the service has no order ${requestId}`);
  world.sandbox.orders.setStatus(placed, status);
}

/** How often the service received the pay of an order. */
export const paysOf = (world: World, requestId: string): number =>
  world.sandbox.calls.filter(
    ({ body, operation }) =>
      operation === 'pay' && (body as { request_id?: string }).request_id === requestId,
  ).length;

/** The order as the shop's backend sees it. */
export const backendOrder = async (world: World, request_id: string) =>
  read(endpoints.backendQuery.response, await world.ask('/v1/query', { request_id }, bearer)).order;
