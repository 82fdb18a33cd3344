/** The requests of the shop's backend with its secret key, except queries and pay links. */
import { z } from 'zod';
import { DAY_S } from './durations.js';
import { outcome } from './order.js';
import { identifier, saleFields, text } from './requests.js';
import { shopEventTypes } from './shop-events.js';

export const orderTokenRequest = z.strictObject({
  ...saleFields,
  /** Seconds; at most 24 h. */
  expires_in: z.int().min(1).max(DAY_S).optional(),
});

export type OrderTokenRequest = z.infer<typeof orderTokenRequest>;

/** The answer is HTML. */
export const renderRequest = z
  .strictObject({
    order_token: z.string().min(1).max(8192),
    /** Without it, the order is placed if there is only one option; else the customer chooses. */
    option: text(64).optional(),
    locale: z
      .string()
      .max(35)
      .regex(/^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/, { error: 'a language tag such as "pt-BR"' })
      .optional(),
    /** `inline` saves the browser a request before it can show the card. */
    styles: z.enum(['link', 'inline']).default('link'),
    /** For a page whose policy allows inline styles by a nonce. */
    nonce: z
      .string()
      .regex(/^[A-Za-z0-9+/_-]{8,200}={0,2}$/, { error: 'a nonce in base64' })
      .optional(),
  })
  .refine(({ nonce, styles }) => nonce === undefined || styles === 'inline', {
    error: 'only with "styles": "inline"',
    path: ['nonce'],
  });

export type RenderRequest = z.input<typeof renderRequest>;

export const closeRequest = z.strictObject({
  intent_id: identifier,
  /** For the shop's own records. */
  reason: text(500).optional(),
});

export type CloseRequest = z.input<typeof closeRequest>;

/** An opaque text of an earlier answer; without a cursor a list starts at its beginning. */
const cursor = z.string().min(1).max(500);
const limit = z.int().min(1).max(500).default(100);

const moment = z.iso.datetime({ offset: true });

/** A page may hold fewer orders than `limit`; the next request repeats the filter. */
export const ordersRequest = z
  .strictObject({
    cursor: cursor.optional(),
    limit,
    since: moment.optional(),
    until: moment.optional(),
    outcome: outcome.optional(),
  })
  .refine(
    ({ since, until }) =>
      since === undefined || until === undefined || Date.parse(since) <= Date.parse(until),
    { error: 'a time after since', path: ['until'] },
  );

export const eventsRequest = z.strictObject({
  cursor: cursor.optional(),
  limit,
  intent_id: identifier.optional(),
  /** A page may hold fewer events than `limit`; the next request repeats both. */
  since: moment.optional(),
  type: z.enum(shopEventTypes).optional(),
});

export const resendEventsRequest = z
  .strictObject({
    event_id: identifier.optional(),
    /** Every event since this moment. */
    since: moment.optional(),
  })
  .refine((body) => (body.event_id === undefined) !== (body.since === undefined), {
    error: 'either event_id or since',
    path: ['event_id'],
  });
