/**
 * Measures the time from the claim of an order to the write of its pay: a process that freezes in
 * between may send the pay long after its claim ended.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, Socket, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRelay } from '../../relay/app.js';
import { parseConfig } from '../../relay/config/parse-config.js';
import type { Ledger } from '../../relay/ledger/ledger.js';
import { nodeClock } from '../../relay/node/process.js';
import { openLedger } from '../../relay/node/open-ledger.js';
import { poolSend } from '../../relay/order-service/send/pool-send.js';
import { openIntent, postRequest, readSecret, testConfig } from '../suite/support/world.js';
import { each, percentage, percentile, type Proof } from './proof.js';

/** The service gives this answer to every request. */
const answer = JSON.stringify({
  code: '200',
  message: 'ok',
  data: { status: 11, checkout_url: 'https://service.example/pay' },
});
const response = [
  'HTTP/1.1 200 OK',
  'content-type: application/json',
  `content-length: ${answer.length}`,
  '',
  answer,
].join('\r\n');

export const window: Proof = {
  sizes: { pays: 2000, below_ms: 5 },
  // `npm run test:all` runs beside other work, so it only checks that the claim comes first
  small: { pays: 300, below_ms: 200 },
  run: async ({ below_ms: bound = 0, pays = 0 }) => {
    const service = createServer((socket) => {
      socket.on('data', () => socket.write(response));
      socket.on('error', () => {});
    });
    await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve));
    const baseUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
    const folder = mkdtempSync(join(tmpdir(), 'window-'));
    const inner = await openLedger(`sqlite:${join(folder, 'ledger.db')}`);
    let claimedAt = 0;
    const ledger: Ledger = {
      ...inner,
      change: async (...args) => {
        const changed = await inner.change(...args);
        claimedAt = performance.now();
        return changed;
      },
    };
    const config = parseConfig(
      { ...testConfig, service: { base_url: baseUrl }, links: { hosts: ['service.example'] } },
      readSecret,
    );
    const pool = poolSend({ baseUrl });
    const relay = createRelay({ config, ledger, send: pool.send, clock: nodeClock });
    const windows: number[] = [];
    const restore = onWrite((text) => {
      if (text.includes('POST /v1/order/pay')) windows.push(performance.now() - claimedAt);
    });
    let placed = 0;
    await each(pays, 1, async () => {
      const attempt = crypto.randomUUID();
      const request = postRequest('/v1/pay', { ...openIntent, attempt, option: 'card' });
      if ((await relay.fetch(request)).status === 200) placed++;
    });
    restore();
    await relay.close();
    await pool.close();
    await inner.close();
    service.close();
    rmSync(folder, { recursive: true });
    const [p50 = 0, p99 = 0, most = 0] = [0.5, 0.99, 1].map((part) => percentile(windows, part));
    return {
      held: placed === pays && windows.length === pays && p99 < bound,
      sections: [
        {
          figures: [
            { name: 'pays', value: pays },
            { name: 'written after a claim', value: windows.length },
            percentage('acceptance', windows.length, pays),
          ],
        },
        {
          name: 'from claim to write',
          figures: [
            { name: 'p50', value: p50, digits: 2, unit: 'ms' },
            { name: 'p99', value: p99, digits: 2, unit: 'ms', bound },
            { name: 'maximum', value: most, digits: 2, unit: 'ms' },
          ],
        },
      ],
    };
  },
};

/**
 * Calls `see` with every text that a socket of this process writes.
 * @returns a function that ends these calls
 */
function onWrite(see: (text: string) => void): () => void {
  const write = Socket.prototype.write;
  Socket.prototype.write = function (this: Socket, ...args: Parameters<typeof write>) {
    see(String(args[0]));
    return write.apply(this, args);
  } as typeof write;
  return () => void (Socket.prototype.write = write);
}
