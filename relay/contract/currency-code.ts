/** A currency as the order service names it: `USD`, `USDT.TRC20`. */
import { z } from 'zod';
import { isVisibleTag } from './visible-text.js';

const CURRENCY_CODE = /^[A-Za-z0-9._-]{1,24}$/;
export const isCurrencyCode = (text: string): boolean => CURRENCY_CODE.test(text);
export const currencyCode = z.string().regex(CURRENCY_CODE, { error: 'a currency code' });

/** A crypto asset to deposit, whose name has no documented form: `USDT (TRC20)`, `BNB/BSC`. */
export const assetName = z
  .string()
  .min(1)
  .max(64)
  .refine(isVisibleTag, { error: 'a name without invisible characters, or spaces at an end' });
