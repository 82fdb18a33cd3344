/**
 * The body of a stored intent: JSON of the intent with its orders. Fields that have no value are
 * left out, so that the body of a usual intent stays in the page of its row.
 */
import { z } from 'zod';
import type { Intent } from './intent.js';
import { intentRow, orderRow, resolutionRow } from './rows.js';

const intentBody = z.strictObject({
  ...intentRow.shape,
  orders: z.array(orderRow).default([]),
  resolutions: z.array(resolutionRow).default([]),
});

/** @throws Error when the text is not the body of an intent */
export const readBody = (text: string): Intent => intentBody.parse(JSON.parse(text));

export const writeBody = ({ version: _version, ...body }: Intent): string =>
  JSON.stringify(body, withoutEmpty);

const withoutEmpty = (_key: string, value: unknown): unknown =>
  value === null || value === false || (Array.isArray(value) && value.length === 0)
    ? undefined
    : value;
