/** The commands of docs/guides/ten-letters.md answer each letter, beside a running relay. */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { bindLedger } from '../../../../relay/bind-ledger.js';
import { parseConfig } from '../../../../relay/config/parse-config.js';
import type { ConfigFile } from '../../../../relay/config/schema.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { serveSandbox } from '../../../../relay/sandbox/serve.js';
import { letterShop } from './letter-shop.js';
import { startPostgres, type Postgres } from '../../support/postgres.js';
import { runHere, type PrintedError } from '../../support/run-here.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { createWorld, readSecret, SECRETS, testConfig, until } from '../../support/world.js';

const guide = readFileSync(
  fileURLToPath(new URL('../../../../docs/guides/ten-letters.md', import.meta.url)),
  'utf8',
);
/** The commands of each letter, in the order of the guide. */
const letters = guide
  .split(/^## \d+\. /m)
  .slice(1)
  .map((section) =>
    [...section.matchAll(/```sh\n([\s\S]*?)```/g)]
      .flatMap(([, block = '']) => block.replaceAll('\\\n', ' ').trim().split('\n'))
      .map((line) => line.trim()),
  );

const folder = temporaryFolder('ten-letters');
let running: Postgres | undefined;
after(async () => running?.stop());
const engines: Record<string, () => Promise<string>> = {
  sqlite: async () => `sqlite:${join(folder, 'ledger.db')}`,
  postgres: async () => (running = await startPostgres({ syncs: false })).database(),
};

/** Splits a command line as a shell does, as far as the guide uses it. */
const words = (line: string): string[] =>
  [...line.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain ?? '');

/** Runs a line of the guide, and returns what it prints. */
const run = (line: string, config: string): Promise<string> =>
  runHere(
    words(line)
      .slice(1)
      .map((word) => (word === 'relay.config.json' ? config : word)),
  );

for (const [engine, nameOf] of Object.entries(engines))
  describe(`ten letters on ${engine}`, () => {
    it('answers each letter by at most three commands', { timeout: 120_000 }, async () => {
      const {
        close: stopService,
        sandbox,
        url,
      } = await serveSandbox({
        port: 0,
        host: '127.0.0.1',
      });
      const ledgerName = await nameOf();
      const service = { ...testConfig.service, base_url: url };
      const shop_events = { url: 'http://127.0.0.1:9/hooks', secret: { env: 'SECRET' } };
      const links = { hosts: ['localhost'], schemes: [] };
      const config: ConfigFile = {
        ...testConfig,
        ledger: ledgerName,
        service,
        shop_events,
        links,
      };
      const file = join(folder, `${engine}.json`);
      writeFileSync(file, JSON.stringify(config));
      Object.assign(process.env, SECRETS);
      const ledger = await openLedger(ledgerName);
      await bindLedger(parseConfig(config, readSecret), ledger);
      let shopAnswers = 200;
      const world = createWorld({
        ledger,
        sandbox,
        config: { service, shop_events, links },
        shopFetch: async () => new Response('', { status: shopAnswers }),
      });
      const { allDelivered, outcome, pay, seen, statusOf } = letterShop(world, sandbox);
      const tick = (): Promise<void> => world.relay.tick();
      const answers = async (number: number): Promise<string[]> => {
        const lines = letters[number - 1] ?? [];
        assert.ok(lines.length >= 1 && lines.length <= 3, `${number}: ${lines.length} commands`);
        const printed: string[] = [];
        for (const line of lines) printed.push(await run(line, file));
        for (const text of printed)
          for (const line of text.split('\n'))
            if (number !== 8) assert.ok([...line].length <= 100, `more than 100 columns: ${line}`);
        return printed;
      };

      // the letters that need a paid or an open order
      const expired = await pay('order-expired', 'c-expired');
      await seen(expired, 40, 'expired');
      statusOf(expired, 20);
      const one = await answers(1);
      assert.match(one[0] ?? '', /customer_ref_id +expired +12\.50 USD +order-expired/);
      assert.match(one[1] ?? '', /status 20; the order is succeeded/);
      assert.match(one[2] ?? '', /service +status .*status 20, succeeded, late/);

      const first = await pay('order-twice', 'c-twice');
      const second = await pay('order-twice', 'c-twice', first);
      assert.notEqual(first, second);
      await seen(first, 20, 'succeeded');
      await seen(second, 20, 'succeeded');
      const two = await answers(2);
      assert.match(two[1] ?? '', new RegExp(`paid by +${first}`));
      assert.match(two[1] ?? '', /succeeded, paid twice/);
      assert.match(
        two[1] ?? '',
        new RegExp(`pay back +12\\.50 USD of ${second}: duplicate_payment`),
      );

      sandbox.faults.add({ operation: 'pay', fault: 'wrong_amount' });
      const amount = await pay('order-amount', 'c-amount');
      const three = await answers(3);
      assert.match(three[0] ?? '', /review amount_mismatch/);
      assert.match(three[1] ?? '', /difference -?\d/);
      assert.match(three[2] ?? '', /resolved as failed/);
      assert.equal(await outcome(amount), 'failed');

      const bank = await pay('order-bank', 'c-bank');
      statusOf(bank, 20);
      assert.match((await answers(4))[1] ?? '', /the order is succeeded/);

      sandbox.faults.add({ operation: 'pay', fault: 'cut_after' });
      sandbox.faults.add({ operation: 'query', fault: 'cut_before', times: 0 });
      await pay('order-confirming', 'c-confirming');
      sandbox.faults.clear();
      const five = await answers(5);
      assert.match(five[0] ?? '', /confirming +12\.50 USD +card +order-confirming/);
      assert.match(five[1] ?? '', /the order is pending/);
      // every open order is younger than an hour
      const hanging = await run('x orders list --hanging --config relay.config.json', file);
      assert.match(hanging, /no order/);

      await tick();
      shopAnswers = 500;
      const lost = await pay('order-untold', 'c-untold');
      await seen(lost, 20, 'succeeded');
      await until(async () => {
        await tick();
        return (await ledger.undelivered()).some(({ tries }) => tries > 0);
      }, 'a failed delivery');
      const six = await answers(6);
      assert.match(six[0] ?? '', /order\.succeeded +order-untold +HTTP 500/);
      assert.match(six[1] ?? '', /[12] will be delivered again/);
      shopAnswers = 200;
      await allDelivered();

      await run(
        'x options off wallet --by Ben --message "en=Not today" --config relay.config.json',
        file,
      );
      await tick();
      const off = await pay.refused('order-off', 'c-off', 'wallet');
      assert.deepEqual([off.code, off.notice], ['option_unknown', { en: 'Not today' }]);
      const seven = await answers(7);
      assert.match(seven[0] ?? '', /wallet +do not see it: switched off +Ben/);
      assert.match(seven[1] ?? '', /wallet +may choose it +Ann/);
      await tick();
      assert.notEqual(await pay('order-on', 'c-on', undefined, 'wallet'), '');

      const eight = await answers(8);
      assert.match(eight[0] ?? '', /^opened_at,created_at,paid_at,intent_id/);
      const today = new Date().toISOString().slice(0, 10);
      const rows = await run(
        `x orders export --from ${today} --to 2999-01-01 --format jsonl --config relay.config.json`,
        file,
      );
      assert.equal(rows.trim().split('\n').length, 8);

      const erased = await pay('order-erase', 'c-erase');
      await assert.rejects(answers(9), new RegExp(`order ${erased} may still change`));
      await seen(erased, 20, 'succeeded');
      await allDelivered();
      assert.match((await answers(9))[1] ?? '', /c-erase erased: 1 intents, 2 events/);
      assert.match(await run('x orders find c-erase --config relay.config.json', file), /nothing/);

      await run('x options off wallet --by Ben --config relay.config.json', file);
      const ten = letters[9] ?? [];
      assert.ok(ten.length >= 1 && ten.length <= 3);
      // no page of this shop can be reached here, so `check` ends with an error
      const checked = await run(ten[0] ?? '', file).catch(({ printed }: PrintedError) => printed);
      const waiting = await run(ten[1] ?? '', file);
      assert.match(checked, /ok {5}service\.query: /);
      assert.match(checked, /warn {3}options\.wallet: switched off by Ben/);
      assert.match(waiting, /no order/);

      await world.relay.close();
      await ledger.close();
      await stopService();
    });
  });
