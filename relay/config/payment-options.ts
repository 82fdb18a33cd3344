/** A payment option: its configuration, and whether it fits an amount and a currency. */
import { z } from 'zod';
import { asAmount, compareDecimals, isAmount } from '../contract/decimal.js';
import { customerField, label, phoneAction } from '../contract/responses.js';
import { imageUrl } from './images.js';
import { ownWords } from './own-words.js';

const decimal = z.string().refine(isAmount, asAmount);

export const paymentOption = z
  .strictObject({
    id: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,64}$/, { error: '1 to 64 characters of A-Z a-z 0-9 _ -' }),
    label,
    payment_method: z.enum(['on_line', 'direct', 'on_chain']),
    payment_type: z.string().min(1).optional(),
    payment_channel: z.string().min(1).optional(),
    currencies: z.array(z.string().min(1)).min(1).optional(),
    pay_currency: z.string().min(1).optional(),
    min: decimal.optional(),
    max: decimal.optional(),
    customer: z.array(customerField).min(1).optional(),
    expires_after_s: z.int().min(1).optional(),
    icon_url: imageUrl.optional(),
    phone_action: phoneAction.optional(),
    words: ownWords.optional(),
    enabled: z.boolean().default(true),
  })
  .superRefine((option, context) => {
    for (const field of ['payment_type', 'payment_channel'] as const)
      if (option.payment_method === 'direct' && option[field] === undefined)
        context.addIssue({
          code: 'custom',
          path: [field],
          message: 'a value, since payment_method is direct',
        });
    if (
      option.min !== undefined &&
      option.max !== undefined &&
      compareDecimals(option.min, option.max) > 0
    )
      context.addIssue({ code: 'custom', path: ['max'], message: 'at least min' });
  });

export type PaymentOptionConfig = z.output<typeof paymentOption>;

type Charge = { amount: string; currency: string; pay_currency?: string | undefined };

export function optionFits(
  option: PaymentOptionConfig,
  { amount, currency, pay_currency }: Charge,
): boolean {
  if (!option.enabled) return false;
  if (option.currencies && !option.currencies.includes(currency)) return false;
  if (
    pay_currency !== undefined &&
    option.pay_currency !== undefined &&
    option.pay_currency !== pay_currency
  )
    return false;
  if (option.min !== undefined && compareDecimals(amount, option.min) < 0) return false;
  return option.max === undefined || compareDecimals(amount, option.max) <= 0;
}
