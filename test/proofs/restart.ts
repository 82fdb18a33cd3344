/** Measures the time from SIGKILL to the first answered pay, with the built relay. */
import { sleep } from '../suite/support/wait.js';
import { openIntent } from '../suite/support/world.js';
import { buildRelay, createRelayFolder, post, startSandbox } from './processes.js';
import { percentile, type Proof } from './proof.js';

export const restart: Proof = {
  sizes: { kills: 20, within_ms: 1000 },
  // `npm run test:all` runs beside other work, so it only checks that the relay comes back
  small: { kills: 5, within_ms: 30_000 },
  run: async ({ kills = 0, within_ms: within = 0 }) => {
    const script = buildRelay();
    const sandbox = await startSandbox();
    const shop = await createRelayFolder(sandbox.url);
    let relay = await shop.relay(script);
    const times: number[] = [];
    let served = 0;
    for (let kill = 0; kill < kills; kill++) {
      await post(`${relay.url}/v1/pay`, {
        ...openIntent,
        attempt: crypto.randomUUID(),
        option: 'card',
      });
      const gone = new Promise((resolve) => relay.child.once('exit', resolve));
      relay.child.kill('SIGKILL');
      await gone;
      const began = Date.now();
      const starting = shop.relay(script);
      for (const attempt = crypto.randomUUID(); ; await sleep(5))
        if (await post(`${relay.url}/v1/pay`, { ...openIntent, attempt, option: 'card' })) break;
      times.push(Date.now() - began);
      served++;
      relay = await starting;
    }
    relay.child.kill('SIGKILL');
    sandbox.child.kill('SIGKILL');
    shop.remove();
    const slowest = Math.max(...times);
    return {
      held: served === kills && slowest <= within,
      sections: [
        {
          figures: [
            { name: 'kills', value: kills },
            { name: 'paying again after p50', value: percentile(times, 0.5), unit: 'ms' },
            { name: 'slowest', value: slowest, unit: 'ms', bound: within },
          ],
        },
      ],
    };
  },
};
