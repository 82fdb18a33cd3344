/** A currency as the order service names it: `USD`, `USDT.TRC20`. */
import { z } from 'zod';

const CURRENCY_CODE = /^[A-Za-z0-9._-]{1,24}$/;
export const isCurrencyCode = (text: string): boolean => CURRENCY_CODE.test(text);
export const currencyCode = z.string().regex(CURRENCY_CODE, { error: 'a currency code' });
