/** The page of the reference about the element, from its manifest and its types. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import type { Phase } from '../../../widget/checkout/flow.js';
import { eventPayloads } from './event-payloads.js';
import { elementCodes } from './own-code-texts.js';
import { code, codeTable, table, wireText } from './reference-markdown.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Fields of events whose names mean something else in the relay's answers. */
const EVENT_FIELDS: Readonly<Record<string, string>> = {
  url: 'The link that is opened.',
  kind: '`app` for the scheme of an app, `web` for a page, `browser` for the customer’s browser.',
  reason: '`tap`, or `nothing_opened` when the tap before has opened nothing.',
};

const PHASES: Readonly<Record<Phase, string>> = {
  waiting: 'The page does not say yet what is to be paid.',
  loading: 'The element asks the relay what to show.',
  choosing: 'The customer chooses a way to pay.',
  submitting: 'The order is being placed.',
  confirming: 'The answer was lost; the relay asks whether the order exists.',
  awaiting_payment: 'The code, link or page is shown, and the order can be paid.',
  succeeded: 'The order is paid.',
  failed: 'The order failed; it may still succeed.',
  expired: 'The order expired; it may still succeed.',
  unmapped: 'The service named a status that `statuses` lacks: neither paid nor failed.',
  review: 'A person of the shop must look at the payment.',
  closed: 'The shop closed the intent, and nothing can be paid any more.',
  showing_deposit_address: 'A deposit address is shown.',
  problem: 'Something failed; `problem` says what, and most have a button to try again.',
};

const described = z.object({ name: z.string(), description: z.string().min(1) });
const typed = described.extend({ type: z.object({ text: z.string() }).optional() });
const member = typed.extend({
  kind: z.enum(['field', 'method']),
  description: z.string().optional(),
  static: z.boolean().optional(),
  readonly: z.boolean().optional(),
  default: z.string().optional(),
});
const declaration = z.object({
  tagName: z.literal('pay-checkout'),
  attributes: z.array(
    typed.extend({ fieldName: z.string().optional(), default: z.string().optional() }),
  ),
  events: z.array(typed),
  cssParts: z.array(described),
  cssProperties: z.array(described),
  members: z.array(member),
});
export type ElementManifest = z.infer<typeof declaration>;
const manifestSchema = z.object({
  modules: z.array(z.object({ declarations: z.array(z.object({ name: z.string() }).loose()) })),
});

/** Analyses the element, as `npm run manifest` does. */
export function elementManifest(): ElementManifest {
  const folder = mkdtempSync(join(root, 'node_modules/.manifest-'));
  try {
    const cem = join(root, 'node_modules/@custom-elements-manifest/analyzer/cem.js');
    const options = ['analyze', '--quiet', '--outdir', relative(root, folder)];
    execFileSync(process.execPath, [cem, ...options], { cwd: root });
    const file = readFileSync(join(folder, 'custom-elements.json'), 'utf8');
    const { modules } = manifestSchema.parse(JSON.parse(file));
    const all = modules.flatMap(({ declarations }) => declarations);
    return declaration.parse(all.find(({ name }) => name === 'PayCheckout'));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const payloadText = (event: string): string => {
  const payload = eventPayloads().find((each) => each.event === event);
  if (!payload || payload.fields.length === 0) return 'none';
  return payload.fields
    .map(({ name, optional, type }) => `${code(`${name}${optional ? '?' : ''}: ${type}`)}`)
    .join(', ');
};

export function elementPage(manifest = elementManifest()): string {
  const { attributes, cssParts, cssProperties, events, members } = manifest;
  const own = members.filter((each) => !each.static && each.description !== undefined);
  const properties = own.filter(({ kind }) => kind === 'field');
  const methods = own.filter(({ kind }) => kind === 'method');
  const payloadFields = new Set(
    eventPayloads().flatMap(({ fields }) => fields.map(({ name }) => name)),
  );
  return `# The element’s reference

Written by \`npm run contract\`. [How to use it](../guides/the-element.md).

## Attributes

${table(
  ['attribute', 'type', 'default', 'what it is'],
  attributes.map(({ default: byDefault = '', description, name, type }) => [
    code(name),
    code(type?.text ?? ''),
    code(byDefault),
    description,
  ]),
)}

## Properties

An attribute’s property has its name in camel case. \`phase\`, \`outcome\`, \`order\` and
\`problem\` are read only.

${table(
  ['property', 'type', 'what it is'],
  properties.map(({ description = '', name, type }) => [
    code(name),
    code(type?.text ?? ''),
    description,
  ]),
)}

## Methods

${table(
  ['method', 'what it does'],
  methods.map(({ description = '', name }) => [code(`${name}()`), description]),
)}

## Events

Every event bubbles out of the element. Its fields are on the event itself and in \`detail\`.

${table(
  ['event', 'class', 'fields', 'when'],
  events.map(({ description, name, type }) => [
    code(name),
    code(type?.text ?? ''),
    payloadText(name),
    description,
  ]),
)}

${table(
  ['field', 'what it is'],
  [...payloadFields].map((name) => [code(name), EVENT_FIELDS[name] ?? wireText(name)]),
)}

\`Order\` has the fields of [an order](endpoints.md#an-order) that a page gets. \`DepositAddress\`
has the fields of the answer to [\`/v1/deposit-address\`](endpoints.md#post-v1deposit-address).

## Phases

The attribute and property \`phase\`, and the fields of \`pay-phase\`:

${table(
  ['phase', 'what it is'],
  Object.entries(PHASES).map(([phase, text]) => [code(phase), text]),
)}

## Problem codes

\`ProblemCode\` is one of the relay’s [error codes](../reference.md#error-codes), or one of the
element’s own:

${codeTable(elementCodes)}

## Parts

${table(
  ['::part()', 'what it is'],
  cssParts.map(({ description, name }) => [code(name), description]),
)}

## Custom properties

${table(
  ['token', 'sets'],
  cssProperties.map(({ description, name }) => [code(name), description]),
)}
`;
}
