/** The pages of the reference, by their file in `docs/`. */
import { backendOrder, purchase } from '../../../relay/contract/responses.js';
import { failureStatuses } from '../../../relay/contract/failure.js';
import { endpoints } from '../../../relay/contract/endpoints.js';
import { fakeEventBody } from '../../../relay/webhooks/fake-event-body.js';
import { shopEventTypes } from '../../../relay/contract/shop-events.js';
import { elementPage } from './reference-element.js';
import { commandsPage, monitoringPage } from './reference-operator.js';
import { code, codeTable, fieldTable, table, wireText, type Schema } from './reference-markdown.js';
import { eventErrorCodes, relayErrorCodes } from './own-code-texts.js';
import { codes, fields, forBackend, operations, otherRoutes } from './reference-texts.js';
import { configFields, jsonSchemaOf } from './reference.js';
import { exampleOf, parsedExample } from './example-config.js';
import { fieldsOfEvents, shopEvents } from './wire-texts.js';

/** How the pages are formatted. */
export const MARKDOWN = {
  parser: 'markdown',
  printWidth: 100,
  proseWrap: 'always',
  singleQuote: true,
} as const;
type Name = keyof typeof endpoints;
const names = Object.keys(endpoints) as Name[];

const overview = (): string => `# Reference

See also:

- [the element](reference/element.md): attributes, properties, methods, events, parts, tokens
- [the endpoints](reference/endpoints.md): fields of each request and answer, and
  [OpenAPI 3.1](openapi.json)
- [the shop’s events](reference/shop-events.md)
- [commands and their flags](reference/commands.md), [log and metrics](reference/monitoring.md)
- [content security policy, Trusted Types and integrity](guides/content-security-policy.md)

## Operations

${table(
  ['request', 'what it does'],
  [
    ...names.map((name) => [code(`POST ${endpoints[name].path}`), operations[name]]),
    ...Object.entries(otherRoutes).map(([route, text]) => [code(route), text]),
  ],
)}

## Error codes

${table(
  ['code', 'status', 'cause', 'cure'],
  Object.entries(failureStatuses).map(([name, status]) => {
    const [cause, cure] = codes[name as keyof typeof codes];
    return [code(name), String(status), cause, cure];
  }),
)}

Codes that do not come from the relay:
[the element’s own](reference/element.md#problem-codes), and
[those of \`pay-checkout/shop\`](reference/shop-events.md#codes-of-pay-checkoutshop).

## Fields of the configuration

\`*\` is an index, or a name that you choose.

${table(
  ['field', 'default', 'example', 'what it is'],
  [...configFields()].map(([path, byDefault]) => [
    code(path),
    byDefault === undefined ? '' : code(JSON.stringify(byDefault)),
    code(exampleOf(path) ?? ''),
    fields[path] ?? '',
  ]),
)}
`;

const requestOf = (name: Name): Schema => jsonSchemaOf(endpoints[name].request, 'input');
const answerOf = (name: Name): Schema => jsonSchemaOf(endpoints[name].response, 'output');

const endpointSection = (name: Name): string => `## POST ${endpoints[name].path}${
  name === 'backendQuery' ? ', with the secret key' : ''
}

${operations[name]} ${
  forBackend.includes(name)
    ? 'Send `Authorization: Bearer <secret_key>`.'
    : 'A page sends it without a key, and its origin must be in `shop.origins`.' +
      (name === 'checkout' ? ' A backend may send it with the secret key.' : '')
}

Request:

${fieldTable(requestOf(name), name)}

Answer:

${name === 'render' ? 'HTML.' : fieldTable(answerOf(name), name)}
`;

const endpointsPage = (): string => `# Endpoints

Every request is JSON over POST, below \`public_url\`. A failure has one of the
[error codes](../reference.md#error-codes):
\`{"error": {"code", "message", "field"?, "reference"}}\`.
The same as [OpenAPI 3.1](../openapi.json); [examples](../guides/answers-to-the-backend.md).

${names.map(endpointSection).join('\n')}
## An order

A page gets the fields up to \`service_unreachable\`; the backend gets all.

${fieldTable(jsonSchemaOf(backendOrder, 'output'), 'order')}
`;

/** The fields of `data`, by the events that really have them. */
export function shopEventFields(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>();
  const sale = { intentId: 'order-10042', amount: '12.50', currency: 'USD' };
  for (const type of shopEventTypes) {
    const body = JSON.parse(fakeEventBody(parsedExample(), type, sale)) as { data: object };
    for (const name of Object.keys(body.data))
      found.set(name, (found.get(name) ?? new Set()).add(type));
  }
  // a real order may have fields that the fake sale lacks
  for (const name of [...Object.keys(purchase.shape), ...Object.keys(fieldsOfEvents)])
    if (!found.has(name)) found.set(name, new Set());
  return found;
}

function whereFound(name: string, types: ReadonlySet<string>): string {
  const some = fieldsOfEvents[name];
  if (some !== undefined) return some;
  return types.size === shopEventTypes.length ? 'every event' : 'where the order has one';
}

function shopEventsPage(): string {
  return `# The shop’s events

[How to receive them](../guides/receive-shop-events.md).

${table(
  ['type', 'when'],
  shopEventTypes.map((type) => [code(type), shopEvents[type] ?? '']),
)}

## Fields of \`data\`

${table(
  ['field', 'in', 'what it is'],
  [...shopEventFields()].map(([name, types]) => [
    code(name),
    whereFound(name, types),
    wireText(name),
  ]),
)}

## Codes of \`pay-checkout/shop\`

\`verifyEvent\` throws an \`EventError\`; \`receiveEvents\` answers 401 or 400 in its
place:

${codeTable(eventErrorCodes)}

Each function that calls the relay, such as \`fetchOrder\` and \`reconcile\`, throws a
\`RelayError\` when the call fails. The \`code\` of the error is one of the
[relay’s error codes](../reference.md#error-codes), or:

${codeTable(relayErrorCodes)}
`;
}

/** @returns the text of each page */
export const referencePages = async (): Promise<Record<string, string>> => ({
  'reference.md': overview(),
  'reference/element.md': elementPage(),
  'reference/endpoints.md': endpointsPage(),
  'reference/shop-events.md': shopEventsPage(),
  'reference/commands.md': commandsPage(),
  'reference/monitoring.md': await monitoringPage(),
});
