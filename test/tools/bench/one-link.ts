/** How many pays per second go through one pay link, whose row every pay counts its use in. */
import { each } from '../../proofs/proof.js';
import { bearer } from '../../suite/support/world.js';
import type { BenchSizes } from './sizes.js';
import {
  build,
  startRelay,
  startRelayOnPostgres,
  startStub,
  type Contender,
} from './contenders.js';
import { cpuMicros, cpuMicrosOfTree } from './cpu.js';
import { createLoad, orderToken, type Load } from './load.js';
import { WARM_UP_ROUNDS } from './round.js';
import type { Bench, Row } from './table.js';

const IN_FLIGHT = 32;

type Contest = Row & {
  values: Record<string, number[]>;
  contender: Contender;
  load: Load;
  /** @returns the token of each customer's pay in one round */
  tokens: (customers: number) => Promise<readonly string[]>;
};

export async function oneLink({ requests, rounds }: BenchSizes): Promise<Bench> {
  build();
  const stub = await startStub();
  const contests: Contest[] = [];
  const ends: (() => Promise<void>)[] = [];
  for (const startContender of [startRelay, startRelayOnPostgres]) {
    const contender = await startContender(stub.url);
    const load = createLoad(contender.url, IN_FLIGHT);
    ends.push(load.close, contender.stop);
    const add = (what: string, tokens: Contest['tokens']): void =>
      void contests.push({
        name: `${contender.name}, ${what}`,
        values: {},
        contender,
        load,
        tokens,
      });
    add('a token for each pay', (customers) =>
      Promise.resolve(Array.from({ length: customers }, () => orderToken(crypto.randomUUID()))),
    );
    add('one pay link', async (customers) =>
      Array<string>(customers).fill(await newLink(contender.url, customers)),
    );
  }
  for (let round = -WARM_UP_ROUNDS; round < rounds; round++)
    for (const contest of contests)
      for (const [column, value] of Object.entries(await runRound(contest, requests)))
        if (round >= 0) (contest.values[column] ??= []).push(value);
  for (const end of ends) await end();
  stub.child.kill('SIGKILL');
  return {
    about:
      `First pays of ${requests} customers in a round, ${IN_FLIGHT} at a time, by one link or by ` +
      'a token for each. All processes share the cores. "Relay" and "database" are their CPU ' +
      'time for each pay.',
    columns: [
      { name: 'pays', unit: '1/s' },
      { name: 'relay', unit: 'µs' },
      { name: 'database', unit: 'µs' },
    ],
    rows: contests,
    rounds,
  };
}

async function newLink(url: string, uses: number): Promise<string> {
  const answer = await fetch(`${url}/v1/pay-links`, {
    method: 'POST',
    headers: { ...bearer, 'content-type': 'application/json' },
    body: JSON.stringify({
      amount: '12.50',
      currency: 'USD',
      product_name: 'A tree',
      customer_ref_id: 'c1',
      expires_in: 3600,
      uses,
    }),
  });
  if (!answer.ok) throw new Error(`/v1/pay-links: ${answer.status} ${await answer.text()}`);
  return ((await answer.json()) as { url: string }).url.split('/p/')[1] ?? '';
}

async function runRound(
  { contender, load, tokens }: Contest,
  requests: number,
): Promise<Record<string, number>> {
  const { child, databasePid } = contender;
  const ofRelay = (): number => cpuMicros(child.pid ?? 0);
  const ofDatabase = (): number => (databasePid === undefined ? 0 : cpuMicrosOfTree(databasePid));
  const pays = (await tokens(requests)).map((order_token) => ({
    order_token,
    option: 'qr',
    attempt: crypto.randomUUID(),
  }));
  const [began, relayBefore, databaseBefore] = [performance.now(), ofRelay(), ofDatabase()];
  await each(requests, IN_FLIGHT, async (index) => {
    await load.post('/v1/pay', pays[index] ?? {});
  });
  return {
    pays: (1000 * requests) / (performance.now() - began),
    relay: (ofRelay() - relayBefore) / requests,
    ...(databasePid !== undefined && { database: (ofDatabase() - databaseBefore) / requests }),
  };
}
