/** The order of the functions of the element's script: what it keeps, and what it refuses. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import vm from 'node:vm';
import { similarBeside } from './similar-beside.js';

const script = (body: string): string => `(function(){${body}})();`;

describe('functions beside similar ones', () => {
  it('stand first, the most similar ones in a row, and do what they did', () => {
    const body =
      'var told=[];class Tree{grow(){return leaf(1)}}' +
      'function leaf(a){return root(a)+100}function other(){told.push("x".repeat(3))}' +
      'var bark=(a)=>root(a)+200;function root(a){return a}' +
      'other();globalThis.result=[new Tree().grow(),bark(2),told[0]]';
    const ordered = similarBeside(script(body));
    const context = vm.createContext({});
    vm.runInContext(ordered, context);
    assert.deepEqual([...(context.result as unknown[])], [101, 202, 'xxx']);
    assert.ok(ordered.indexOf('class Tree') > ordered.indexOf('other=()=>'));
    const names = ordered.match(/\b(leaf|other|bark|root)(?==[(a])/g);
    assert.deepEqual(names, ['leaf', 'root', 'bark', 'other']);
  });

  for (const [what, body] of [
    ['uses this', 'function f(){return this}f()'],
    ['uses arguments', 'function f(){return arguments}f()'],
    ['is a generator', 'function*f(){}f()'],
    ['is called with new', 'function F(){}new F()'],
  ] as const)
    it(`end the build when one ${what}`, () =>
      assert.throws(() => similarBeside(script(body)), /an arrow function cannot replace/));
});
