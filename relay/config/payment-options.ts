/** A payment option: its configuration, and whether it fits an amount and a currency. */
import { z } from 'zod';
import { compareDecimals } from '../contract/decimal.js';
import { amountText } from '../contract/requests.js';
import { customerField, label, phoneAction } from '../contract/responses.js';
import { imageUrl } from './images.js';
import { ownWords } from './own-words.js';
import { refuser } from './refinements.js';
import { walletList } from './wallets.js';

/** What is checked in the option's codes and links (qrcode/check-code.ts). */
const codeRules = z.strictObject({
  check: z.enum(['required', 'when_known']).default('when_known'),
  payees: z
    .array(
      z
        .string()
        .trim()
        .regex(/^(account:\s*)?(?!account:)\S/i, { error: 'a name, or account: and an account' }),
    )
    .min(1)
    .default([]),
  token: z
    .strictObject({
      contract: z
        .string()
        .regex(/^(0x[0-9a-fA-F]{40}(@[1-9]\d{0,19})?|[1-9A-HJ-NP-Za-km-z]{32,44})$/, {
          error: 'an address 0x…, with @ and the number of its network, or a mint of Solana',
        }),
      decimals: z.int().min(0).max(36),
    })
    .optional(),
});

/** A year. A time that no date can hold would make each list with its order fail. */
const MAX_EXPIRES_AFTER_S = 31_536_000;

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
    min: amountText.optional(),
    max: amountText.optional(),
    customer: z.array(customerField).min(1).optional(),
    expires_after_s: z.int().min(1).max(MAX_EXPIRES_AFTER_S).optional(),
    icon_url: imageUrl.optional(),
    phone_action: phoneAction.optional(),
    words: ownWords.optional(),
    code: codeRules.prefault({}),
    wallets: walletList.optional(),
    enabled: z.boolean().default(true),
  })
  .superRefine((option, context) => {
    const { code, max, min, pay_currency, payment_method } = option;
    const refuse = refuser(context);
    for (const field of ['payment_type', 'payment_channel'] as const)
      if (payment_method === 'direct' && option[field] === undefined)
        refuse([field], 'a value, since payment_method is direct');
    if (min !== undefined && max !== undefined && compareDecimals(min, max) > 0)
      refuse(['max'], 'at least min');
    if (code.token && pay_currency === undefined)
      refuse(['pay_currency'], 'the token’s currency, since code.token is set');
  });

export type PaymentOptionConfig = z.output<typeof paymentOption>;

export type Charge = { amount: string; currency: string; pay_currency?: string | undefined };

/** @returns why an option cannot take a charge, after the option's name; null when it can */
export function whyNotTaken(
  { currencies, enabled, max, min, pay_currency }: PaymentOptionConfig,
  charge: Charge,
): string | null {
  if (!enabled) return 'is disabled';
  if (currencies?.includes(charge.currency) === false) return `takes only ${currencies.join(', ')}`;
  const asked = charge.pay_currency ?? pay_currency;
  if (pay_currency !== undefined && asked !== pay_currency)
    return `is paid only in ${pay_currency}`;
  if (min !== undefined && compareDecimals(charge.amount, min) < 0) return `takes at least ${min}`;
  if (max !== undefined && compareDecimals(charge.amount, max) > 0) return `takes at most ${max}`;
  return null;
}

/** Whether an option can take a charge. */
export const takes = (option: PaymentOptionConfig, charge: Charge): boolean =>
  whyNotTaken(option, charge) === null;

/** Says for each option why it cannot take a charge; all of them are known not to. */
export const whyNoneTakes = (options: readonly PaymentOptionConfig[], charge: Charge): string =>
  `no option takes ${charge.amount} ${charge.currency}: ` +
  (options.map((option) => `${option.id} ${whyNotTaken(option, charge)}`).join('; ') ||
    'there are no options');
