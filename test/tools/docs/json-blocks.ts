/** Reads each JSON block of the documentation with the schema of what the block shows. */
import { readFileSync } from 'node:fs';
import type { z } from 'zod';
import { parseConfig } from '../../../relay/config/parse-config.js';
import { configSchema } from '../../../relay/config/schema.js';
import { endpoints } from '../../../relay/contract/endpoints.js';
import { readEvent } from '../../../widget/shop/event.js';
import { withNumbers } from '../contract/example-config.js';
import { shopEventFields } from '../contract/reference-pages.js';
import { wireFields } from '../contract/wire-texts.js';
import { codeBlocks, fileOf, type CodeBlock } from './code-blocks.js';

type Value = Record<string, unknown>;
type Reader = {
  name: string;
  takes: (value: Value, block: CodeBlock) => boolean;
  /** @throws Error when the block shows something that does not exist */
  read: (value: Value, block: CodeBlock) => void;
};

const SECRET = 'a-secret-of-at-least-thirty-two-bytes';
const DATABASE = 'postgres://relay:password@database.internal/pay';
const configKeys = Object.keys(configSchema(() => undefined).shape);

/** The whole configuration of the guide, of which other blocks show a part. */
function wholeConfig(): Value {
  const page = 'docs/guides/configure-the-relay.md';
  const block = codeBlocks('json').find((each) => each.page === page);
  return JSON.parse(block?.code ?? 'null') as Value;
}

const readConfig = (part: Value): unknown =>
  parseConfig(withNumbers({ ...wholeConfig(), ...part }), (reference) => {
    if (!('env' in reference)) return SECRET;
    return reference.env.startsWith('LEDGER') ? DATABASE : SECRET + reference.env;
  });

/** The requests and answers of the operations whose path the page names. */
const wireSchemas = ({ page }: CodeBlock): z.ZodType[] => {
  const text = readFileSync(fileOf(page), 'utf8');
  return Object.values(endpoints)
    .filter(({ path }) => text.includes(path))
    .flatMap(({ request, response }): z.ZodType[] => [request, response]);
};

/** Whether a schema accepts a value and knows its fields. It drops a field that it lacks. */
const fits = (schema: z.ZodType, value: unknown): boolean => {
  const { data, success } = schema.safeParse(value);
  return success && hasFieldsOf(data, value);
};
function hasFieldsOf(read: unknown, written: unknown): boolean {
  if (typeof written !== 'object' || written === null) return true;
  if (typeof read !== 'object' || read === null) return false;
  const known = new Map(Object.entries(read));
  return Object.entries(written).every(
    ([name, value]) => known.has(name) && hasFieldsOf(known.get(name), value),
  );
}

export const jsonReaders: readonly Reader[] = [
  {
    name: 'a part of the configuration',
    takes: (value) => Object.keys(value).every((key) => configKeys.includes(key)),
    read: readConfig,
  },
  {
    name: 'a payment option',
    takes: (value) => 'payment_method' in value,
    read: (option) => readConfig({ options: [option] }),
  },
  {
    name: 'an event of the shop',
    takes: (value) => 'type' in value && 'data' in value,
    read: (value) => {
      const event = readEvent('evt_1', value);
      if (event === null) throw new Error('not an event');
      const known = shopEventFields();
      for (const name of Object.keys(event.data))
        if (!known.has(name) && !(name in wireFields)) throw new Error(`an unknown field ${name}`);
    },
  },
  {
    name: 'a request or an answer',
    takes: (value, block) => wireSchemas(block).some((schema) => fits(schema, value)),
    read: () => {},
  },
];

/**
 * @throws Error when the block is not JSON, when none of the readers takes it, or when it is wrong
 */
export function readJsonBlock(block: CodeBlock): void {
  const value = JSON.parse(block.code) as Value;
  const [reader] = jsonReaders.filter(({ takes }) => takes(value, block));
  if (!reader) throw new Error('no schema accepts it');
  reader.read(value, block);
}
