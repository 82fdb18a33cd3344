/** Whatever is thrown is said in the log: a configuration module may throw a text. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { messageOf } from '../../../../relay/node/message-of.js';

describe('messageOf', () => {
  for (const [thrown, said] of [
    ['no key today', 'no key today'],
    [new Error('one', { cause: new Error('two') }), 'one: two'],
    [new AggregateError([new Error('one'), new Error('two')]), 'one, two'],
    [new TypeError(), 'TypeError'],
  ] as const)
    it(`says “${said}”`, () => assert.equal(messageOf(thrown), said));
});
