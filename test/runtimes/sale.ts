/** What the tests of all runtimes do: a page pays, the customer confirms, the backend asks. */
import assert from 'node:assert/strict';
import type { z } from 'zod';
import { endpoints } from '../../relay/contract/endpoints.js';
import type { Order } from '../../relay/contract/order.js';
import { openIntent } from '../support/world.js';
import { bearer, type Answer, type House } from './house.js';

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

export const pay = async (house: House, fields = newPay()): Promise<Order> =>
  read(endpoints.pay.response, await house.ask('/v1/pay', fields)).order;

/** The customer pays, or the order ends otherwise. */
export function setStatus(house: House, requestId: string, status = PAID): void {
  const placed = house.sandbox.orders.byRequest(requestId);
  assert.ok(placed, `the service has no order ${requestId}`);
  house.sandbox.orders.setStatus(placed, status);
}

/** How often the service received the pay of an order. */
export const paysOf = (house: House, requestId: string): number =>
  house.sandbox.calls.filter(
    ({ body, operation }) =>
      operation === 'pay' && (body as { request_id?: string }).request_id === requestId,
  ).length;

/** The order as the shop's backend sees it. */
export const backendOrder = async (house: House, request_id: string) =>
  read(endpoints.backendQuery.response, await house.ask('/v1/query', { request_id }, bearer)).order;
