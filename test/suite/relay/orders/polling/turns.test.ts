import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { describe, it } from 'node:test';
import { createTurns, nextTurn } from '../../../../../relay/orders/polling/pacing.js';
import { settle } from '../../../support/manual-clock.js';

describe('work that is divided over turns of the event loop', () => {
  const enterAll = (enter: () => Promise<void>, count: number): number[] => {
    const entered: number[] = [];
    for (let index = 0; index < count; index++) void enter().then(() => entered.push(index));
    return entered;
  };

  it('goes on at once for so many, and for the same number in each later turn', async () => {
    const entered = enterAll(createTurns(3), 8);
    await Promise.resolve();
    const perTurn = [entered.length];
    for (let turn = 0; turn < 3; turn++) {
      await nextTurn();
      perTurn.push(entered.length);
    }
    assert.deepEqual(
      [perTurn, entered],
      [
        [3, 6, 8, 8],
        [0, 1, 2, 3, 4, 5, 6, 7],
      ],
    );
  });

  it('lets nobody pass those who wait', async () => {
    const enter = createTurns(2);
    const entered = enterAll(enter, 7);
    await nextTurn();
    void enter().then(() => entered.push(9));
    assert.deepEqual(entered, [0, 1, 2, 3]);
    await settle();
    assert.deepEqual(entered, [0, 1, 2, 3, 4, 5, 6, 9]);
  });

  it('counts anew after a turn without work', async () => {
    const enter = createTurns(2);
    enterAll(enter, 2);
    await settle();
    const entered = enterAll(enter, 2);
    await Promise.resolve();
    assert.deepEqual(entered, [0, 1]);
  });

  it('reads requests between the turns', async () => {
    const server = createServer((_request, response) => response.end('read')).listen(0);
    await once(server, 'listening');
    const { port } = server.address() as { port: number };
    const enter = createTurns(1);
    let entered = 0;
    for (let index = 0; index < 10_000; index++) void enter().then(() => entered++);
    const answer = await fetch(`http://127.0.0.1:${port}`);
    assert.equal(await answer.text(), 'read');
    assert.ok(entered < 10_000, `the request was read after ${entered} entries`);
    server.close();
  });
});
