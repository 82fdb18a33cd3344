/** The relay closes sockets that send very slowly, and keeps answering other clients quickly. */
import { connect, type Socket } from 'node:net';
import { sleep } from '../suite/support/wait.js';
import { openIntent } from '../suite/support/world.js';
import { post, startSandbox, createRelayFolder } from './processes.js';
import { createRandom, percentage, percentile, type Proof } from './proof.js';

const MAX_SOCKET_MS = 15_000;
const MAX_HONEST_P99_MS = 50;

/** What a slow client sends first; a single byte follows about once a second. */
const HEADS = [
  '',
  'POST /v1/pay HTTP/1.1\r\nhost: x\r\nx-a: ',
  'POST /v1/pay HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\n' +
    'content-length: 16000\r\n\r\n{"a":"',
];

export const slow: Proof = {
  sizes: { sockets: 2000, seed: 1 },
  run: async ({ seed = 1, sockets = 0 }) => {
    const random = createRandom(seed);
    const sandbox = await startSandbox();
    const shop = await createRelayFolder(sandbox.url);
    const relay = await shop.relay();
    const port = Number(new URL(relay.url).port);
    await post(`${relay.url}/v1/checkout`, openIntent);

    const lives: number[] = [];
    let connected = 0;
    const open = new Set<Socket>();
    const drip = (): void => {
      const socket = connect(port, '127.0.0.1');
      const head = random.pick(HEADS);
      let began = 0;
      let timer: NodeJS.Timeout | undefined;
      open.add(socket);
      socket.on('connect', () => {
        connected++;
        began = Date.now();
        socket.write(head);
        if (head !== '') timer = setInterval(() => socket.write('x'), 700 + random.integer(600));
      });
      socket.on('data', () => {});
      socket.on('error', () => {});
      socket.on('close', () => {
        clearInterval(timer);
        open.delete(socket);
        if (began > 0) lives.push(Date.now() - began);
      });
    };
    for (let count = 0; count < sockets; count++) drip();
    const honest: number[] = [];
    let failed = 0;
    for (
      const end = Date.now() + MAX_SOCKET_MS + 2000;
      Date.now() < end && (open.size > 0 || honest.length < 200);
      await sleep(20)
    ) {
      const began = performance.now();
      if (await post(`${relay.url}/v1/checkout`, openIntent))
        honest.push(performance.now() - began);
      else failed++;
    }
    const left = open.size;
    for (const socket of open) socket.destroy();
    relay.child.kill('SIGKILL');
    sandbox.child.kill('SIGKILL');
    shop.remove();
    const longest = Math.max(...lives, 0);
    const p99 = percentile(honest, 0.99);
    return {
      held:
        left === 0 &&
        connected === sockets &&
        longest <= MAX_SOCKET_MS &&
        failed === 0 &&
        p99 < MAX_HONEST_P99_MS,
      sections: [
        {
          figures: [
            { name: 'sockets', value: connected },
            { name: 'left open', value: left },
            { name: 'longest life', value: longest, unit: 'ms', bound: MAX_SOCKET_MS },
          ],
        },
        {
          figures: [
            { name: 'honest requests', value: honest.length },
            percentage('acceptance', honest.length, honest.length + failed),
            { name: 'p99', value: p99, digits: 1, unit: 'ms', bound: MAX_HONEST_P99_MS },
          ],
        },
      ],
    };
  },
};
