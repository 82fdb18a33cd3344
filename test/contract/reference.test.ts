/** The reference names every route, error code and field of the configuration. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { format } from 'prettier';
import { endpoints } from '../../relay/contract/endpoints.js';
import { failureStatuses } from '../../relay/contract/failure.js';
import { paths } from '../../relay/contract/paths.js';
import { configFields, openApi, referencePage } from './reference.js';
import { codes, fields, otherRoutes } from './reference-texts.js';

const root = new URL('../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');
const sorted = (names: Iterable<string>): string[] => [...names].sort();

describe('the reference', () => {
  it('names every route that the relay mounts, and no other', () => {
    const mounted = [
      ...read('relay/routes/routes.ts').matchAll(
        /\.(get|post|all|options)\(\s*(?:paths\.(\w+)|'([^']+)')/g,
      ),
    ].map(([, method = '', name, path]) => {
      const known = Object.entries(paths).find(([key]) => key === name)?.[1];
      return `${method.toUpperCase()} ${known ?? path ?? ''}`;
    });
    const documented = [
      ...Object.keys(openApi().paths as object).map((path) => `POST ${path}`),
      ...Object.keys(otherRoutes),
    ];
    assert.ok(mounted.length > 15);
    assert.deepEqual(sorted(mounted), sorted(documented));
  });

  it('has cause and cure of every error code', () => {
    assert.deepEqual(sorted(Object.keys(codes)), sorted(Object.keys(failureStatuses)));
  });

  it('says what every field of the configuration is', () => {
    assert.deepEqual(sorted(Object.keys(fields)), sorted(configFields().keys()));
  });

  it('is what the contract is now', async () => {
    const file = JSON.parse(read('docs/openapi.json')) as unknown;
    assert.deepEqual(file, JSON.parse(JSON.stringify(openApi())));
    const options = { parser: 'markdown', printWidth: 100, proseWrap: 'always' } as const;
    assert.equal(read('docs/reference.md'), await format(referencePage(), options));
  });

  it('has a schema of request and answer for every operation', () => {
    const described = JSON.stringify(openApi());
    for (const { path } of Object.values(endpoints)) assert.ok(described.includes(`"${path}"`));
    assert.ok(described.includes('"pay_link_id"'));
  });
});
