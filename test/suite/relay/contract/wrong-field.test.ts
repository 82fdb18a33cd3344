/** The words about a refused value are ours: those of the library are about its own types. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { z } from 'zod';
import { endpoints } from '../../../../relay/contract/endpoints.js';
import { firstWrongField } from '../../../../relay/contract/wrong-field.js';

const problemOf = (schema: z.ZodType, value: unknown): string => {
  const parsed = schema.safeParse(value);
  return parsed.success ? 'accepted' : firstWrongField(parsed.error).problem;
};

const CASES: [z.ZodType, unknown, string][] = [
  [z.guid(), 'x', 'expected a UUID'],
  [z.string(), 5, 'expected a text'],
  [z.string(), undefined, 'missing; expected a text'],
  [z.string().min(1), '', 'expected at least 1 characters'],
  [z.array(z.string()).max(1), ['a', 'b'], 'expected at most 1 entries'],
  [z.int(), 1.5, 'expected a whole number'],
  [z.int().max(3), 4, 'expected at most 3'],
  [z.boolean(), 1, 'expected a boolean'],
  [z.enum(['a', 'b']), 'c', 'expected one of "a", "b"'],
  [z.url(), 'x', 'expected an http(s) URL'],
  [z.iso.datetime(), 'x', 'expected a time such as "2026-01-31T12:00:00Z"'],
  [z.string().regex(/a/), 'b', 'expected another form'],
  [z.union([z.string(), z.array(z.string())]), 5, 'expected a text or a list'],
  [z.string().regex(/a/, { error: 'the letter a' }), 'b', 'the letter a'],
  [z.strictObject({}), { a: 1 }, 'unknown field'],
];

describe('firstWrongField', () => {
  for (const [schema, value, problem] of CASES)
    it(`says “${problem}” about ${JSON.stringify(value) ?? 'a missing value'}`, () =>
      assert.equal(problemOf(schema, value), problem));

  it('never repeats the library, whatever is wrong in a request', () => {
    const values = [undefined, null, 5, 'x', '', [], {}, true, 1.5, ['x'.repeat(600)]];
    for (const [name, { request }] of Object.entries(endpoints)) {
      const fields = 'shape' in request ? Object.keys(request.shape as object) : [];
      const names = [...fields, 'attempt', 'amount', 'option', 'expires_in', 'since', 'customer'];
      for (const field of names)
        for (const value of values) {
          const problem = problemOf(request, { [field]: value });
          assert.doesNotMatch(problem, /Invalid|Too (big|small)|received|GUID/, `${name} ${field}`);
        }
    }
  });
});
