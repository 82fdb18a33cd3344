/** The data of the reference: OpenAPI of the operations, and the fields of the configuration. */
import { readFileSync } from 'node:fs';
import { z } from 'zod';
import { endpoints } from '../../../relay/contract/endpoints.js';
import { failureStatuses } from '../../../relay/contract/failure.js';
import { configJsonSchema } from './config-json-schema.js';
import { forBackend, operations } from './reference-texts.js';
import { wireText } from './reference-markdown.js';

type Name = keyof typeof endpoints;
const names = Object.keys(endpoints) as Name[];
const { version } = z
  .object({ version: z.string() })
  .parse(JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')));

export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): Record<string, unknown> {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    // an answer may get further fields
    override: ({ jsonSchema }) => {
      if (io === 'output' && jsonSchema.additionalProperties === false)
        delete jsonSchema.additionalProperties;
    },
  });
  return rest;
}

/**
 * Adds to each field its description.
 *
 * @param within the name of the operation or the field that the schema is of
 */
function described(schema: unknown, within: string): unknown {
  if (Array.isArray(schema)) return schema.map((each) => described(each, within));
  if (typeof schema !== 'object' || schema === null) return schema;
  const own = Object.entries(schema).map(([key, value]) => {
    if (key !== 'properties') return [key, described(value, within)];
    const fields = Object.entries(value as object).map(([name, field]) => [
      name,
      { ...(described(field, name) as object), description: wireText(`${within}.${name}`) },
    ]);
    return [key, Object.fromEntries(fields)];
  });
  return Object.fromEntries(own) as unknown;
}

const json = (schema: unknown): object => ({ 'application/json': { schema } });
const oneOf = (schemas: readonly unknown[]): unknown =>
  schemas.length === 1 ? schemas[0] : { oneOf: schemas };

/** Two operations share the path of query: with and without the secret key. */
export function openApi(): Record<string, unknown> {
  const paths = [...new Set(names.map((name) => endpoints[name].path))];
  return {
    openapi: '3.1.0',
    info: { title: 'pay-checkout-relay', version, license: { name: 'MIT', identifier: 'MIT' } },
    servers: [{ url: 'https://shop.example/pay', description: 'public_url' }],
    paths: Object.fromEntries(paths.map((path) => [path, { post: operationOf(path) }])),
    components: {
      securitySchemes: { secretKey: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Failure: {
          type: 'object',
          required: ['error'],
          properties: {
            error: {
              type: 'object',
              required: ['code', 'message', 'reference'],
              properties: {
                code: { enum: Object.keys(failureStatuses) },
                message: { type: 'string', description: 'For the developer.' },
                field: { type: 'string' },
                reference: { type: 'string', description: 'Found in the relay’s log.' },
                outcome: { type: 'string' },
                notice: {
                  type: 'object',
                  additionalProperties: { type: 'string' },
                  description: wireText('notice'),
                },
                support_url: { type: 'string' },
              },
            },
          },
        },
      },
    },
  };
}

function operationOf(path: string): Record<string, unknown> {
  const here = names.filter((name) => endpoints[name].path === path);
  const isCheckout = here.includes('checkout');
  const needKey = here.filter((name) => forBackend.includes(name));
  const security = needKey.length === here.length ? [{ secretKey: [] }] : [{}, { secretKey: [] }];
  return {
    operationId: here[0],
    summary: here.map((name) => operations[name]).join(' '),
    ...((needKey.length > 0 || isCheckout) && { security }),
    requestBody: {
      required: true,
      content: {
        ...json(
          oneOf(
            here.map((name) => described(jsonSchemaOf(endpoints[name].request, 'input'), name)),
          ),
        ),
        ...(isCheckout && {
          'text/plain': { schema: { type: 'string', contentMediaType: 'application/json' } },
        }),
      },
    },
    responses: {
      200: {
        description: 'The answer.',
        content: here.includes('render')
          ? { 'text/html': { schema: { type: 'string' } } }
          : json(
              oneOf(
                here.map((name) =>
                  described(jsonSchemaOf(endpoints[name].response, 'output'), name),
                ),
              ),
            ),
      },
      default: {
        description: 'A failure; its code determines the status.',
        content: json({ $ref: '#/components/schemas/Failure' }),
      },
    },
  };
}

type Node = {
  properties?: Record<string, Node>;
  additionalProperties?: Node | boolean;
  items?: Node;
  anyOf?: Node[];
  oneOf?: Node[];
  default?: unknown;
};
/** A reference to a secret is not a group of fields. */
const OF_SECRETS = ['env', 'file'];

/** @returns the default of each field of the configuration, by its path */
export function configFields(): Map<string, unknown> {
  const found = new Map<string, unknown>();
  const walk = (node: Node, prefix: string): void => {
    for (const [name, child] of Object.entries(node.properties ?? {})) {
      if (OF_SECRETS.includes(name)) continue;
      const path = `${prefix}${name}`;
      if (!found.has(path)) found.set(path, child.default);
      walk(child, `${path}.`);
    }
    for (const each of [node.additionalProperties, node.items])
      if (typeof each === 'object') walk(each, `${prefix}*.`);
    for (const each of [...(node.anyOf ?? []), ...(node.oneOf ?? [])]) walk(each, prefix);
  };
  walk(configJsonSchema() as Node, '');
  return found;
}
