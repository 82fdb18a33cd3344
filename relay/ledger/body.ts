/**
 * The body of a stored intent: JSON of the intent with its orders. Fields that have no value are
 * left out, so that the body of a usual intent stays in the page of its row.
 */
import { z } from 'zod';
import { firstWrongField } from '../contract/wrong-field.js';
import type { Intent } from './intent.js';
import { intentRow, orderRow, resolutionRow } from './rows.js';

const intentBody = z.strictObject({
  ...intentRow.shape,
  orders: z.array(orderRow).default([]),
  resolutions: z.array(resolutionRow).default([]),
});

/** @throws Error that names the first wrong field, when the text is not the body of an intent */
export function readBody(text: string): Intent {
  const { data, error } = intentBody.safeParse(JSON.parse(text));
  if (data) return data;
  const { field, problem } = firstWrongField(error);
  throw new Error(field === '' ? problem : `${field}: ${problem}`);
}

export const writeBody = ({ version: _version, ...body }: Intent): string =>
  JSON.stringify(body, withoutEmpty);

const withoutEmpty = (_key: string, value: unknown): unknown =>
  value === null || value === false || (Array.isArray(value) && value.length === 0)
    ? undefined
    : value;
