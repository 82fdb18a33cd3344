/** Reads each JSON block of the documentation with the schema of what the block shows. */
import { existsSync, readFileSync } from 'node:fs';
import { z } from 'zod';
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
  parseConfig(withNumbers({ ...wholeConfig(), ...part }), (reference) =>
    'env' in reference && reference.env.startsWith('LEDGER') ? DATABASE : SECRET,
  );

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
    name: 'the configuration of a worker',
    takes: (value) => 'compatibility_date' in value,
    read: (value, { page }) => {
      const config = workerConfig.parse(value);
      const program = fileOf(page.replace('README.md', config.main));
      if (!existsSync(program)) throw new Error(`${config.main} is not beside the guide`);
      const source = readFileSync(program, 'utf8');
      const names = config.durable_objects.bindings.flatMap((each) => [
        `env.${each.name}.`,
        `export class ${each.class_name} extends DurableObject`,
      ]);
      for (const name of names)
        if (!source.includes(name)) throw new Error(`${config.main} has no ${name}`);
      const classes = config.durable_objects.bindings.map(({ class_name }) => class_name);
      const migrated = config.migrations.flatMap((each) => each.new_sqlite_classes);
      if (classes.join() !== migrated.join()) throw new Error('a class without a migration');
    },
  },
  {
    name: 'a request or an answer',
    takes: (value, block) => wireSchemas(block).some((schema) => fits(schema, value)),
    read: () => {},
  },
];

const workerConfig = z.strictObject({
  name: z.string(),
  main: z.string(),
  compatibility_date: z.iso.date(),
  durable_objects: z.strictObject({
    bindings: z.array(z.strictObject({ name: z.string(), class_name: z.string() })).min(1),
  }),
  migrations: z.array(z.strictObject({ tag: z.string(), new_sqlite_classes: z.array(z.string()) })),
  routes: z.array(z.strictObject({ pattern: z.string(), zone_name: z.string() })),
});

/**
 * @param block may have comments and trailing commas when its language is jsonc
 * @throws Error when the block is not JSON, when none of the readers takes it, or when it is wrong
 */
export function readJsonBlock(block: CodeBlock): void {
  const { code, language } = block;
  const plain = code.replace(/^\s*\/\/.*$/gm, '').replace(/,(?=\s*[}\]])/g, '');
  const value = JSON.parse(language === 'jsonc' ? plain : code) as Value;
  const [reader] = jsonReaders.filter(({ takes }) => takes(value, block));
  if (!reader) throw new Error('no schema accepts it');
  reader.read(value, block);
}
