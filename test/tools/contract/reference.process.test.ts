/** The reference names everything that a shop, its pages and its operator can use. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { endpoints } from '../../../relay/contract/endpoints.js';
import { failureStatuses } from '../../../relay/contract/failure.js';
import { paths } from '../../../relay/contract/paths.js';
import { parseConfig } from '../../../relay/config/parse-config.js';
import { commands } from '../../../relay/commands/command-table.js';
import { shopEventTypes } from '../../../relay/contract/shop-events.js';
import { eventPayloads } from './event-payloads.js';
import { exampleOf, parsedExample } from './example-config.js';
import { commandTexts, flagTexts, logEvents } from './operator-texts.js';
import { generatedPages } from './generated-pages.js';
import { operatorOutputs } from './operator-outputs.js';
import { shopEventFields } from './reference-pages.js';
import { loggedEvents, metricNames } from './reference-operator.js';
import { configFields, openApi } from './reference.js';
import { elementCodes, eventErrorCodes, relayErrorCodes } from './own-code-texts.js';
import { codes, fields, otherRoutes } from './reference-texts.js';
import { eventErrorCodesInSource, problemCodes, relayErrorCodesInSource } from './source-codes.js';
import { textKeys } from './text-keys.js';
import { fieldsOfEvents, shopEvents, wireFields, wireFieldsIn } from './wire-texts.js';

const root = new URL('../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const sorted = (names: Iterable<string>): string[] => [...new Set(names)].sort();

/** Names of the fields of a JSON Schema. */
function fieldNames(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return [];
  return Object.entries(schema).flatMap(([key, value]) => [
    ...(key === 'properties' ? Object.keys(value as object) : []),
    ...fieldNames(value),
  ]);
}

describe('the reference', () => {
  it('says of a field what it is there, and between which numbers it may be', () => {
    const page = read('docs/reference/endpoints.md');
    const lines = (field: string): string[] =>
      [...page.matchAll(new RegExp(`^\\| \`${field}\`.*$`, 'gm'))].map(([line]) => line);
    const [option = '', event = ''] = [
      ...lines(String.raw`checkout\.options\[\]\.id`),
      ...lines(String.raw`events\[\]\.id`),
    ];
    assert.match(option, /The id of the way to pay\./);
    assert.match(event, /The id of the event/);
    assert.match(lines('wait').join(), /\| number, 0 to 55 +\|/);
    for (const line of lines('limit')) assert.match(line, /\| integer, 1 to 500 +\|/);
    assert.deepEqual(
      lines('expires_in').map((line) => / (\d+) +\|/.exec(line)?.[1]),
      ['86400', '7776000'],
    );
    assert.doesNotMatch(page, /\d{16}/);
  });

  it('names every route that the relay mounts, and no other', () => {
    const mounted = [
      ...read('relay/routes/routes.ts').matchAll(
        /(?:\.(get|post|all|options)\(|answerAt\(deps,)\s*(?:paths\.(\w+)|'([^']+)')/g,
      ),
    ].map(([, method = 'post', name, path]) => {
      const known = Object.entries(paths).find(([key]) => key === name)?.[1];
      // a slash at the end leads to the same page
      return `${method.toUpperCase()} ${(known ?? path ?? '').replace(/\/$/, '')}`;
    });
    const documented = [
      ...Object.keys(openApi().paths as object).map((path) => `POST ${path}`),
      ...Object.keys(otherRoutes),
    ];
    assert.ok(mounted.length > 15);
    assert.deepEqual(sorted([...new Set(mounted)]), sorted(documented));
  });

  it('has the notice of a failure, and how a checkout may be sent', () => {
    const { components, paths: operations } = openApi() as Record<string, object>;
    assert.ok(fieldNames(components).includes('notice'));
    const checkout = JSON.stringify(operations?.[paths.checkout as keyof object]);
    assert.match(checkout, /"security":\[\{\},\{"secretKey":\[\]\}\]/);
    assert.match(checkout, /"text\/plain":/);
  });

  it('explains cause and cure of every error code in the reference', () => {
    assert.deepEqual(sorted(Object.keys(codes)), sorted(Object.keys(failureStatuses)));
  });

  it('explains cause and cure of every code that the element adds to those of the relay', () => {
    const known = [...Object.keys(failureStatuses), ...Object.keys(elementCodes)];
    assert.deepEqual(sorted(known), sorted(problemCodes()));
  });

  it('explains cause and cure of every code that an error of pay-checkout/shop has', () => {
    assert.deepEqual(sorted(Object.keys(eventErrorCodes)), sorted(eventErrorCodesInSource()));
    assert.deepEqual(sorted(Object.keys(relayErrorCodes)), sorted(relayErrorCodesInSource()));
  });

  it('says what every field of the configuration is, with an example that is accepted', () => {
    const known = [...configFields().keys()];
    assert.deepEqual(sorted(Object.keys(fields)), sorted(known));
    assert.deepEqual(
      known.filter((path) => exampleOf(path) === null),
      [],
    );
    assert.equal(parsedExample().mode, 'live');
  });

  it('shows the default of every field of the configuration that a file may leave out', () => {
    const shortest = {
      mode: 'test',
      service: { base_url: 'https://service.example' },
      shop: { name: 'Bean & Leaf', origins: ['https://shop.example'] },
      public_url: 'https://shop.example/pay',
      ledger: 'memory:',
      catalogue: { tee: { amount: '19.90', currency: 'USD', product_name: 'T-shirt' } },
    };
    const option = { id: 'card', label: 'Card', payment_method: 'on_line' };
    const longer = {
      ...shortest,
      options: [option],
      deposits: [{ currency: 'XLM' }],
      operator: { port: 9090, key: { env: 'OPERATOR_KEY' } },
    };
    const shown = configFields();
    const leftOut: string[] = [];
    /** Compares what the relay's reader adds to a file with what the reference shows. */
    const compare = (read: unknown, written: unknown, path: string): void => {
      if (typeof read !== 'object' || read === null) return;
      for (const [name, value] of Object.entries(read)) {
        const field = [...(path === '' ? [] : [path]), name].join('.');
        const known = shown.has(field) ? field : `${path}.*`;
        const own = (written as Record<string, unknown> | undefined)?.[name];
        if (own !== undefined) {
          compare(value, own, known);
          continue;
        }
        if (value === undefined) continue;
        leftOut.push(known);
        // a group that is left out is shown empty: each of its fields has a default
        if (shown.get(known) === undefined) assert.fail(`${known} has no default`);
        const isGroup = [...shown.keys()].some((each) => each.startsWith(`${known}.`));
        if (isGroup && !Array.isArray(value)) compare(value, {}, known);
        else assert.deepEqual(shown.get(known), value, known);
      }
    };
    const secret = (): string => 'a-secret-of-the-operator';
    for (const file of [shortest, longer]) compare(parseConfig(file, secret), file, '');
    const withDefault = [...shown].filter(([, byDefault]) => byDefault !== undefined);
    assert.deepEqual(sorted(leftOut), sorted(withDefault.map(([field]) => field)));
  });

  it('says what every field of a request, an answer and an event is', () => {
    const names = [
      ...fieldNames(openApi()),
      ...shopEventFields().keys(),
      ...eventPayloads().flatMap((payload) => payload.fields.map(({ name }) => name)),
    ];
    assert.deepEqual(sorted(names), sorted(Object.keys(wireFields)));
    const described = JSON.stringify(openApi());
    for (const [name, text] of Object.entries(wireFieldsIn))
      assert.ok(described.includes(JSON.stringify(text)), name);
    for (const name of Object.keys(fieldsOfEvents)) assert.ok(shopEventFields().has(name), name);
  });

  it('says when every event of the shop is sent, in the guide too', () => {
    assert.deepEqual(sorted(Object.keys(shopEvents)), sorted(shopEventTypes));
    const guide = read('docs/guides/receive-shop-events.md');
    for (const type of shopEventTypes) assert.ok(guide.includes(`\`${type}\``), type);
  });

  it('names every attribute, property, event, part and token of the element', () => {
    const texts = z.array(z.string());
    const contract = z
      .object({
        attributes: texts,
        properties: texts,
        events: texts,
        parts: texts,
        customProperties: texts,
      })
      .parse(JSON.parse(read('test/tools/contract/public-contract.json')));
    const page = read('docs/reference/element.md');
    for (const names of Object.values(contract))
      for (const name of names) assert.match(page, new RegExp(`^\\| \`${name}\``, 'm'));
    assert.deepEqual(sorted(eventPayloads().map(({ event }) => event)), contract.events);
    const [, styled = ''] =
      /Parts for `::part\(\)`: ([^]*?)\.\n/.exec(read('docs/guides/style-the-element.md')) ?? [];
    const parts = [...styled.matchAll(/`([a-z-]+)`/g)].map(([, part = '']) => part);
    assert.deepEqual(sorted(parts), sorted(contract.parts));
  });

  it('names every command and every flag that it takes', () => {
    assert.deepEqual(sorted(Object.keys(commandTexts)), sorted(Object.keys(commands)));
    for (const [name, { usage }] of Object.entries(commands)) {
      const source = read(`relay/commands/${name === 'start' ? 'relay' : name}.ts`);
      const list = /const FLAGS = \[([^\]]*)\]/.exec(source)?.[1] ?? '';
      const flags = [
        ...source.matchAll(
          /(?<=[{\s])'?([a-z-]+)'?: (?:text|flag|\{ type: '(?:string|boolean)'[^}]*\})[,\s]/gi,
        ),
        ...list.matchAll(/'([a-z-]+)'/g),
      ].map(([, flag = '']) => flag);
      if (source.includes('withActions(')) flags.push('config', 'json');
      assert.equal(flags.length > 0, !source.includes('readFlags(args, {}, usage)'), name);
      assert.deepEqual(
        sorted([...new Set(flags)]),
        sorted(Object.keys(flagTexts[name] ?? {})),
        name,
      );
      for (const flag of flags) assert.ok(usage.includes(`--${flag}`), `${name} --${flag}`);
    }
  });

  it('says what every event of the log is, and names only metrics that exist', async () => {
    assert.deepEqual(sorted(Object.keys(logEvents)), loggedEvents());
    const metrics = (await metricNames()).map(({ name }) => name);
    assert.ok(metrics.length > 10);
    const guide = read('docs/guides/run-the-relay.md');
    for (const [name] of guide.matchAll(/pay_checkout_\w+/g)) assert.ok(metrics.includes(name));
  });

  it('keeps the written reference equal to the contract', async () => {
    const file = JSON.parse(read('docs/openapi.json')) as unknown;
    assert.deepEqual(file, JSON.parse(JSON.stringify(openApi())));
    for (const [page, text] of Object.entries(await generatedPages()))
      assert.equal(read(`docs/${page}`), text, page);
  });

  it('keeps the schema of the operator’s answers equal to the commands', () => {
    const file = JSON.parse(read('docs/operator-output.schema.json')) as unknown;
    assert.deepEqual(file, JSON.parse(JSON.stringify(operatorOutputs())));
  });

  it('keeps the relay’s list of keys and placeholders equal to the element’s texts', async () =>
    assert.equal(read('relay/config/text-keys.ts'), await textKeys()));

  it('describes the request and answer of every operation of the order service', () => {
    const described = JSON.stringify(openApi());
    for (const { path } of Object.values(endpoints)) assert.ok(described.includes(`"${path}"`));
    assert.ok(described.includes('"pay_link_id"'));
  });
});
