/** The connections of a simulated relay. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openConnections } from './connections.js';
import { createMemoryFile } from './memory-file.js';

const DISK = { full: false, gone: false };

describe('the connections of a simulated relay', () => {
  it('frees the lock of a transaction when its connection closes in the middle', async () => {
    const file = createMemoryFile('lock');
    const killed = await openConnections(file, DISK);
    killed.writer.prepare('begin immediate').run();
    killed.writer.prepare('create table t (a)').run();
    killed.writer.close();
    const next = await openConnections(file, DISK);
    assert.doesNotThrow(() => next.writer.prepare('begin immediate').run());
    next.writer.close();
    file.remove();
  });
});
