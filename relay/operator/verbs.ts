/**
 * The verbs as the console calls them: who may use each, what it takes and what it answers. The
 * commands call the same functions with their own flags.
 */
import { z } from 'zod';
import { findingsOf } from '../config/findings.js';
import { operatorRoles, type OperatorRole } from '../config/operator-field.js';
import type { Config } from '../config/schema.js';
import { withoutCredentials } from '../config/shown-value.js';
import { outcomes } from '../contract/outcomes.js';
import { resumeLink } from '../contract/paths.js';
import { customerRef } from '../contract/requests.js';
import { reviewReasons } from '../contract/review-reasons.js';
import { parseFields } from '../http/body.js';
import { resolutions } from '../ledger/rows.js';
import type { Context } from '../orders/context.js';
import { orderById } from './by-id.js';
import { check } from './check.js';
import { closeById, type CloseByIdDeps } from './close.js';
import { erase } from './erase.js';
import { listEvents, showEvent } from './events.js';
import { find } from './find.js';
import { listLinks, revokeLink } from './links.js';
import { list } from './list.js';
import { listOptions, switchOption } from './options.js';
import { resend } from './resend.js';
import { resolve } from './resolve.js';
import { MAX_NOTE_CHARACTERS, optionMessage, sentence } from './sentence.js';
import type { configurationShape } from './shapes.js';
import { show } from './show.js';
import { today } from './today.js';
import { todo } from './todo.js';

export type VerbDeps = CloseByIdDeps & { readonly context: Context };

type Verb<Answer extends object = object> = {
  readonly role: OperatorRole;
  readonly input: z.ZodType;
  /**
   * @param by the name of the person
   * @throws Failure, Refusal or NotInReview, with a sentence for the person
   */
  run(deps: VerbDeps, given: unknown, by: string): Promise<Answer>;
};

const verb = <Input, Answer extends object>(
  role: OperatorRole,
  input: z.ZodType<Input>,
  run: (deps: VerbDeps, input: Input, by: string) => Promise<Answer>,
): Verb<Answer> => ({
  role,
  input,
  run: async (deps, given, by) => run(deps, parseFields(input, given), by),
});

const [READ, ACT] = operatorRoles;

const id = z.string().trim().min(1).max(512);
const moment = z.iso.datetime({ offset: true }).transform((text) => Date.parse(text));
const page = {
  limit: z.int().min(1).max(500).default(50),
  cursor: z.string().min(1).max(500).optional(),
};
const nothing = z.strictObject({});

export const verbs = {
  'orders/find': verb(READ, z.strictObject({ text: z.string().max(20_000) }), (deps, { text }) =>
    find(deps.context, text),
  ),
  'orders/list': verb(
    READ,
    z.strictObject({
      since: moment.optional(),
      until: moment.optional(),
      outcome: z.enum(outcomes).optional(),
      option: z.string().max(64).optional(),
      currency: z.string().max(24).optional(),
      reason: z.enum(reviewReasons).optional(),
      undelivered: z.boolean().optional(),
      hanging: z.boolean().optional(),
      pay_back: z.boolean().optional(),
      ...page,
    }),
    (deps, given) => list(deps.context, given, given),
  ),
  'orders/show': verb(READ, z.strictObject({ id }), (deps, given) => show(deps.context, given.id)),
  'orders/check': verb(READ, z.strictObject({ id }), (deps, given) =>
    check({ ...deps.context, restored: deps.restored }, given.id),
  ),
  // whoever has the link opens the order as its customer
  'orders/link': verb(ACT, z.strictObject({ id }), async ({ context }, given) => {
    const { order } = await orderById(context, given.id);
    const { intent_id, request_id } = order;
    const order_key = await context.capabilities.mint('order', request_id);
    return { intent_id, url: resumeLink(context.config.public_url, { request_id, order_key }) };
  }),
  'orders/resolve': verb(
    ACT,
    z.strictObject({
      id,
      as: z.enum(resolutions),
      note: sentence(MAX_NOTE_CHARACTERS),
      status: z.int().nullable().optional(),
    }),
    (deps, decision, by) => resolve(deps.context, { ...decision, by }),
  ),
  'events/list': verb(
    READ,
    z.strictObject({
      since: moment.optional(),
      type: z.string().max(64).optional(),
      undelivered: z.boolean().optional(),
      ...page,
    }),
    (deps, given) => listEvents(deps.context.ledger, given, given),
  ),
  'events/show': verb(READ, z.strictObject({ event_id: id }), (deps, { event_id }) =>
    showEvent(deps.context.ledger, event_id),
  ),
  'events/resend': verb(
    ACT,
    z.union([
      z.strictObject({ event_id: id }),
      z.strictObject({ since: moment }),
      z.strictObject({ undelivered: z.literal(true), since: moment.default(0) }),
    ]),
    (deps, given, by) => resend(deps.context, given, by),
  ),
  'intents/close': verb(
    ACT,
    z.strictObject({
      id,
      reason: sentence(MAX_NOTE_CHARACTERS).optional(),
      unused: z.boolean().default(false),
    }),
    (deps, { reason = null, ...given }, by) => closeById(deps, { ...given, reason, by }),
  ),
  'options/list': verb(READ, nothing, (deps) => listOptions(deps.context)),
  'options/off': verb(
    ACT,
    z.strictObject({ id, message: optionMessage.optional() }),
    (deps, given, by) => switchOption(deps.context, { ...given, off: true, by }),
  ),
  'options/on': verb(ACT, z.strictObject({ id }), (deps, given, by) =>
    switchOption(deps.context, { ...given, off: false, by }),
  ),
  'links/list': verb(READ, z.strictObject(page), (deps, given) => listLinks(deps.context, given)),
  'links/revoke': verb(ACT, z.strictObject({ id }), (deps, given, by) =>
    revokeLink(deps.context, given.id, by),
  ),
  // not trimmed: `7` and `7 ` are two customers
  'customers/erase': verb(ACT, z.strictObject({ id: customerRef }), (deps, given, by) =>
    erase(deps.context, given.id, by),
  ),
  today: verb(READ, nothing, ({ context }) => today(context.ledger, context.ledgerClock.now())),
  todo: verb(READ, nothing, ({ context: { config, ledger, ledgerClock } }) =>
    todo(ledger, ledgerClock.now(), Boolean(config.shop_events)),
  ),
  configuration: verb(READ, nothing, async (deps) => shownConfiguration(deps.context.config)),
};

const fields = z.record(z.string(), z.unknown());

/** The configuration as it stands, without its secrets, and what is wrong with it. */
const shownConfiguration = (config: Config): z.infer<typeof configurationShape> => ({
  configuration: fields.parse(JSON.parse(JSON.stringify(config, shownValue))),
  findings: findingsOf(config),
});

/** A secret writes itself as `[secret]`; a URL may have a password, and a query with a key. */
const shownValue = (_name: string, value: unknown): unknown => {
  if (typeof value === 'function') return '[function]';
  return typeof value === 'string' && value.includes('://') ? withoutCredentials(value) : value;
};

export type VerbAnswers = {
  [Name in keyof typeof verbs]: Awaited<ReturnType<(typeof verbs)[Name]['run']>>;
};

/** @returns null when there is no such verb */
export const verbNamed = (name: string): Verb | null =>
  Object.entries<Verb>(verbs).find(([each]) => each === name)?.[1] ?? null;
