/**
 * The schema of the partner's configuration. It is strict: an unknown field is reported, since it
 * is probably a misspelt one.
 */
import { z } from 'zod';
import { compareDecimals } from '../contract/decimal.js';
import { isHelpUrl } from '../contract/help-url.js';
import { isHeader } from '../contract/http-header.js';
import { metadata } from '../contract/metadata.js';
import { amountText, currencyCode, withoutInvisible } from '../contract/requests.js';
import { shopTexts } from '../contract/responses.js';
import { statusKey } from '../contract/status-number.js';
import { isPageText } from '../contract/visible-text.js';
import { deposit } from './deposit-assets.js';
import { imageUrl } from './images.js';
import { ledgerField, ledgerHintsField } from './ledger-field.js';
import { isWalletScheme } from './links.js';
import { checkLiveMode } from './live-mode.js';
import { operatorField } from './operator-field.js';
import { paymentOption } from './payment-options.js';
import { refuser, unique } from './refinements.js';
import { oneOrTwo, secretField, type ReadSecret } from './secrets.js';
import { tableOutcomes } from './statuses.js';
import { checkWallets } from './wallets.js';
import { host, linkHost, origin, privateUrl, privateWebUrl, webUrl } from './web-addresses.js';

const text = z.string().min(1);
/** The customer reads it above the amount. */
const pageText = text.refine(isPageText, withoutInvisible);

const helpUrl = z.string().refine((value) => URL.canParse(value) && isHelpUrl(value), {
  error: 'an http(s), mailto or tel URL',
});
const kid = z
  .string()
  .regex(/^[A-Za-z0-9_-]{1,32}$/, { error: '1 to 32 characters of A-Z a-z 0-9 _ -' });
/** The `kid` of the capability key that the ledger keeps. */
export const MINTED_KID = 'm';
const capabilityKid = kid.refine((value) => value !== MINTED_KID, {
  error: `another kid than "${MINTED_KID}", which names the ledger's own key`,
});

const isBase64 = (value: string): boolean =>
  value.length > 0 && value.length % 4 === 0 && /^[A-Za-z0-9+/]+={0,2}$/.test(value);

type Sign = (request: {
  path: string;
  json: string;
}) => Record<string, string> | Promise<Record<string, string>>;

/** The longest `timeout_ms`. */
export const MAX_TIMEOUT_MS = 120_000;
/** Thirty days. */
const MAX_UNPAID_S = 2_592_000;

/**
 * The fixed headers of every request to the order service. One that HTTP refuses would make every
 * pay fail after its order was claimed.
 */
const serviceHeaders = (read: ReadSecret) =>
  z
    .record(
      z.string().regex(/^[\w!#$%&'*+.^`|~-]+$/, { error: 'a header name' }),
      secretField(read),
    )
    .superRefine((headers, context) => {
      for (const [name, secret] of Object.entries(headers))
        if (!isHeader(name, secret.reveal()))
          refuser(context)(
            [name],
            'a header that a client may set, whose value is one line of Latin-1',
          );
    });

const service = (read: ReadSecret) =>
  z.strictObject({
    base_url: privateWebUrl,
    headers: serviceHeaders(read).default({}),
    timeout_ms: z.int().min(1).max(MAX_TIMEOUT_MS).default(10_000),
    queries_per_second: z.number().positive().default(20),
    connections: z.int().min(1).max(10_000).default(256),
    /** A server that closes resting connections sooner could lose a pay. */
    idle_ms: z.int().min(0).max(60_000).default(500),
    not_found_codes: z
      .array(
        z
          .union([z.string(), z.int()])
          .transform(String)
          .refine((code) => code !== '200', { error: 'a code of a refusal; "200" is success' }),
      )
      .default([]),
    resend_after_s: z.int().min(1).nullable().default(null),
    require_echo: z.boolean().default(false),
    /** In a configuration module: makes headers that depend on the request. */
    sign: z
      .custom<Sign>((value) => typeof value === 'function', {
        error: 'a function (request) => headers, in a configuration that is a module',
      })
      .optional(),
    notify_ack: z.string().default('OK'),
  });

const orderTokenKey = (read: ReadSecret) =>
  z.discriminatedUnion('alg', [
    z.strictObject({ kid, alg: z.literal('HS256'), secret: secretField(read, 16) }),
    z.strictObject({
      kid,
      alg: z.literal('EdDSA'),
      public_key: secretField(read).refine(
        (key) => /-----BEGIN PUBLIC KEY-----[^-]+-----END PUBLIC KEY-----/.test(key.reveal()),
        {
          error: 'a public key as PEM (SPKI)',
        },
      ),
    }),
  ]);

const fields = (read: ReadSecret) =>
  z.strictObject({
    /** Read by editors only. */
    $schema: z.string().optional(),
    mode: z.enum(['live', 'test']),
    service: service(read),
    shop: z.strictObject({
      name: text,
      origins: z.array(origin).min(1),
      return_hosts: z
        .array(
          z
            .string()
            .toLowerCase()
            .regex(/^(([a-z0-9-]+\.)*[a-z0-9-]+|\[::1\])(:[1-9]\d{0,4})?$/, {
              error: 'a host such as "shop.example" or "shop.example:8443", without https://',
            }),
        )
        .default([]),
      support_url: helpUrl.optional(),
      logo_url: imageUrl.optional(),
      /** Hosts of images, besides those of the pages and of the relay. */
      image_hosts: z.array(host).default([]),
    }),
    public_url: webUrl,
    ledger: ledgerField(read),
    /** Where several relays tell each other of changes; a pooler of transactions does not work. */
    ledger_hints: ledgerHintsField(read).optional(),
    options: z.array(paymentOption).superRefine(unique('id')).default([]),
    deposits: z.array(deposit).superRefine(unique('currency')).default([]),
    statuses: z.record(statusKey, z.enum(tableOutcomes)).default({}),
    links: z
      .strictObject({
        hosts: z.array(linkHost).optional(),
        schemes: z
          .array(z.string().refine(isWalletScheme, { error: 'a wallet scheme such as "sberpay"' }))
          .default([]),
      })
      .default({ schemes: [] }),
    catalogue: z
      .record(
        text,
        z.strictObject({
          amount: amountText,
          currency: currencyCode,
          product_name: pageText,
          max_quantity: z.int().min(1).max(9999).default(1),
          metadata: metadata.optional(),
        }),
      )
      .optional(),
    open_amount: z
      .record(
        currencyCode,
        z
          .strictObject({ min: amountText, max: amountText })
          .refine(({ max, min }) => compareDecimals(min, max) <= 0, { error: 'min not above max' }),
      )
      .optional(),
    open_deposits: z.boolean().default(false),
    guest_customer_prefix: z
      .string()
      .regex(/^[\w.:@+-]{1,16}$/)
      .default('web-'),
    order_token_keys: z.array(orderTokenKey(read)).superRefine(unique('kid')).default([]),
    capability_keys: z
      .array(z.strictObject({ kid: capabilityKid, secret: secretField(read, 16) }))
      .superRefine(unique('kid'))
      .default([]),
    secret_key: oneOrTwo(secretField(read, 8)).optional(),
    request_id_key: secretField(read)
      .refine((key) => new TextEncoder().encode(key.reveal()).length >= 32, {
        error: 'a secret of at least 32 bytes',
      })
      .optional(),
    operator: operatorField(read).optional(),
    shop_events: z
      .strictObject({
        url: privateUrl,
        secret: oneOrTwo(
          secretField(read, 8).refine(
            (secret) => !secret.reveal().startsWith('whsec_') || isBase64(secret.reveal().slice(6)),
            { error: 'whsec_ and base64, or a text of your own' },
          ),
        ),
        /** Seconds until an unpaid intent is reported; without this field, none is reported. */
        unpaid_after_s: z.int().min(1).max(MAX_UNPAID_S).optional(),
      })
      .optional(),
    limits: z
      .strictObject({
        per_ip_per_minute: z.int().min(1).default(120),
        per_intent_per_minute: z.int().min(1).default(120),
        deposit_addresses_per_minute: z.int().min(1).default(10),
        new_intents_per_ip_per_hour: z.int().min(1).default(60),
        trusted_hops: z.int().min(0).max(10).default(0),
        follow_days: z.number().positive().default(3),
        retention_days: z.number().positive().default(400),
      })
      .refine(({ follow_days, retention_days }) => retention_days > follow_days, {
        path: ['retention_days'],
        error: 'more than follow_days',
      })
      .prefault({}),
    /** An empty sentence would be refused by every element, and no checkout would load. */
    texts: shopTexts.default({}),
  });

export const configSchema = (read: ReadSecret) =>
  fields(read).superRefine(checkLiveMode).superRefine(checkWallets);

export type Config = z.output<ReturnType<typeof configSchema>>;
/** The configuration as written in the file. */
export type ConfigFile = z.input<ReturnType<typeof configSchema>>;
