/** `close` of a relay waits until the last request has ended. */
import { it } from 'node:test';
import { createWorld, openIntent, until } from '../../support/world.js';

const LONGER_THAN_THE_PAY_MS = 60_000;

it('resolves every call of close when the last request has ended', async () => {
  const { ask, relay, sandbox } = createWorld();
  sandbox.faults.add({ operation: 'pay', fault: 'slow', delay_ms: 500 });
  const pay = ask('/v1/pay', { ...openIntent, attempt: crypto.randomUUID(), option: 'qr' });
  await until(() => sandbox.calls.length > 0, 'the pay is under way');
  let ended = 0;
  const close = (): Promise<void> => relay.close(LONGER_THAN_THE_PAY_MS).then(() => void ended++);
  const closes = [close(), close()];
  await pay;
  await until(() => ended === closes.length, 'both calls end');
});
