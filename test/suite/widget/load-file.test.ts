/** How a file of the relay is asked for when the first answer is of no use. */
import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'node:test';
import { loadFile } from '../../../widget/load-file.js';
import { loaded } from '../../../widget/loaded-files.js';
import type { Fetch } from '../../../widget/relay-client.js';

const URL = 'https://shop.example/pay/locales/de.json';
const PAGE = (): Response => new Response('<!doctype html>', { status: 200 });
const FILE = (): Response => Response.json({ word: 'Wort' });

const read = (value: unknown): unknown => {
  if (!(value instanceof Object && 'word' in value)) throw new Error('no word');
  return value.word;
};

/** Answers each request in turn, and notes how it uses the browser's cache. */
function answering(...answers: (() => Response | Promise<Response>)[]): {
  fetch: Fetch;
  caches: unknown[];
} {
  const caches: unknown[] = [];
  const fetch: Fetch = (_, init) => {
    const answer = answers[caches.length];
    caches.push(init.cache);
    return Promise.resolve(answer?.() ?? Promise.reject(new TypeError('no network')));
  };
  return { fetch, caches };
}

describe('a file of the relay', () => {
  afterEach(() => loaded.clear());

  it('is asked for past a cache that keeps a page in its place', async () => {
    const { caches, fetch } = answering(PAGE, FILE);
    assert.equal(await loadFile(URL, read, fetch), 'Wort');
    assert.deepEqual(caches, ['default', 'reload']);
  });

  it('is asked for once more when what the page had begun has failed', async () => {
    loaded.set(URL, Promise.reject(new TypeError('no network')));
    const { caches, fetch } = answering(FILE);
    assert.equal(await loadFile(URL, read, fetch), 'Wort');
    assert.deepEqual(caches, ['reload']);
  });

  it('is null after two answers of no use, and the next call asks again', async () => {
    const { caches, fetch } = answering(PAGE, PAGE, FILE);
    assert.equal(await loadFile(URL, read, fetch), null);
    assert.equal(await loadFile(URL, read, fetch), 'Wort');
    assert.deepEqual(caches, ['default', 'reload', 'default']);
  });

  it('is asked for by one request of two elements, also the second time', async () => {
    const { caches, fetch } = answering(PAGE, FILE);
    const both = [loadFile(URL, read, fetch), loadFile(URL, read, fetch)];
    assert.deepEqual(await Promise.all(both), ['Wort', 'Wort']);
    assert.deepEqual(caches, ['default', 'reload']);
  });

  it('is asked for past a request that hangs, which is not forgotten by it later', async () => {
    let fail = (): void => {};
    const hanging = new Promise<Response>((_, reject) => {
      fail = () => reject(new TypeError('no network'));
    });
    const { caches, fetch } = answering(() => hanging, FILE);
    const first = loadFile(URL, read, fetch);
    assert.equal(await loadFile(URL, read, fetch, true), 'Wort');
    fail();
    assert.equal(await first, 'Wort');
    assert.deepEqual(caches, ['default', 'reload']);
  });
});
