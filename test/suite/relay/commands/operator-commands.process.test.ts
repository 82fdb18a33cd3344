/** What the operator's commands print, change and refuse, on a ledger on disk. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { BACKUP_AT } from '../../../../relay/bind-ledger.js';
import { readMoment } from '../../../../relay/commands/actions.js';
import { UsageError } from '../../../../relay/commands/arguments.js';
import { footer } from '../../../../relay/commands/table.js';
import { openLedger } from '../../../../relay/node/open-ledger.js';
import { Refusal } from '../../../../relay/operator/refusal.js';
import { outputs } from '../../../../relay/operator/shapes.js';
import { temporaryFolder } from '../../support/temporary-folder.js';
import { runHere, type PrintedError } from '../../support/run-here.js';
import { runCommand } from '../../support/run-command.js';
import { bearer, SECRETS, testConfig } from '../../support/world.js';
import { openOperatorShop } from './operator-shop.js';

const folder = temporaryFolder('operator-commands');

/** A text that ends with a time and its zone. */
const inZone = (text: RegExp): RegExp => {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const zone = timeZone.replaceAll('+', '\\+');
  return new RegExp(`${text.source} [-0-9]{10} [:0-9]{8} \\(${zone}\\)\n$`);
};

describe('intents close', () => {
  it('refuses an id that no purchase has, unless it is called with --unused', async () => {
    const { close, ledger, pay, run } = await openOperatorShop(folder, 'close');
    const id = await pay('order-10042', 'c-1');
    const mistyped = `${id.slice(0, -1)}${id.endsWith('a') ? 'b' : 'a'}`;
    const closing = (name: string, ...more: string[]): Promise<string> =>
      run('intents', 'close', name, '--by', 'Ann', ...more);
    await assert.rejects(closing(mistyped), (error) => {
      assert.ok(error instanceof Refusal && !(error instanceof UsageError));
      assert.match(error.message, /^no purchase with the id \S+ is known, .*--unused/);
      return true;
    });
    assert.equal(await ledger.intent(mistyped), null);
    const [closed = ''] = (await closing(id)).split(/(?<=\n)/);
    assert.match(closed, inZone(/^order-10042 closed at/));
    assert.match(await closing('basket-nobody-used', '--unused'), /^basket-nobody-used closed at /);
    assert.equal((await ledger.intent('basket-nobody-used'))?.closed_by, 'Ann');
    await close();
  });
});

describe('intents close while the service is silent', () => {
  it('closes, and names each order about which the service gave no answer', async () => {
    const { close, ledger, pay, run } = await openOperatorShop(folder, 'silent');
    const closing = (id: string, ...more: string[]): Promise<string> =>
      run('intents', 'close', id, '--by', 'Ann', ...more);
    const [one, two] = [await pay('order-0001', 'c-1'), await pay('order-0002', 'c-1')];
    const printed = await closing('order-0001');
    assert.ok(printed.includes(`gave no answer about ${one}, which may be paid`), printed);
    const asJson = outputs['intents close'].parse(
      JSON.parse(await closing('order-0002', '--json')),
    );
    assert.deepEqual(asJson.unanswered, [two]);
    assert.equal((await ledger.intent('order-0002'))?.closed_by, 'Ann');
    await close();
  });
});

describe('links', () => {
  it('shows the customer and the state of a link, and names the zone of its times', async () => {
    const { close, run, world } = await openOperatorShop(folder, 'links');
    const terms = { amount: '12.50', currency: 'USD', product_name: 'A tree', expires_in: 600 };
    const sale = { ...terms, customer_ref_id: 'customer-42', jti: 'bill-7-of-may' };
    await world.ask('/v1/pay-links', sale, bearer);
    const listed = await run('links', 'list');
    const [head = '', row = ''] = listed.split('\n');
    assert.match(head, / customer +used +state$/);
    assert.match(row, / customer-42 +single use +until /);
    const id = row.split(' ')[0] ?? '';
    const unused = / pay_link_id +no order yet +12\.50 USD +customer-42 /;
    assert.match(await run('orders', 'find', id), unused);
    const who = 'Ann of the second floor, who answers letters';
    assert.match(
      await run('links', 'revoke', id, '--by', who),
      inZone(/^\S+ revoked by Ann of .+ at/),
    );
    assert.match(await run('links', 'list'), new RegExp(`revoked .+ by ${who}\\n`));
    // the first time counts
    assert.match(
      await run('links', 'revoke', id, '--by', 'Ben'),
      inZone(/^\S+ revoked by Ann of .+ at/),
    );
    await close();
  });
});

describe('todo', () => {
  it('lists what waits for a person, each with the id that the next command takes', async () => {
    const { close, pay, run, world } = await openOperatorShop(folder, 'todo');
    assert.equal(await run('todo'), 'nothing waits for a person\n');
    world.sandbox.faults.add({ operation: 'pay', fault: 'wrong_amount' });
    const requestId = await pay('order-10042', 'c-1');
    const [head = '', id = '', advice = ''] = (await run('todo')).split('\n');
    assert.match(head, /^[-0-9]{10} [:0-9]{8} {2}review {2}12\.50 USD {2}amount_mismatch$/);
    assert.equal(id.trim(), requestId);
    assert.match(advice, /amount/);
    const { items } = outputs.todo.parse(JSON.parse(await run('todo', '--json')));
    assert.deepEqual(
      items.map(({ kind, request_id }) => [kind, request_id]),
      [['review', requestId]],
    );
    await close();
  });
});

describe('events resend', () => {
  it('repeats what the shop lacks since a moment, and counts no erased event', async () => {
    const { close, ledger, pay, run } = await openOperatorShop(folder, 'resend');
    await pay('order-10042', 'c-1');
    await pay('order-10043', 'c-2');
    const [event] = await ledger.undelivered();
    assert.ok(event);
    await ledger.recordDelivery(event, { nextTryAt: null, failure: 'HTTP 500' });
    assert.ok(await ledger.eraseEvent(event.event_id, '{}', event.created_at, true));
    const resent = async (...args: string[]): Promise<unknown> =>
      JSON.parse(await run('events', 'resend', '--by', 'Ann', '--json', ...args));
    assert.deepEqual(await resent('--undelivered', '--since', '2020-01-01'), { resent: 1 });
    assert.deepEqual(await resent('--undelivered', '--since', '2999-01-01'), { resent: 0 });
    assert.deepEqual(await resent('--since', '2020-01-01'), { resent: 1 });
    for (const args of [[], [event.event_id, '--since', '2020-01-01']])
      await assert.rejects(resent(...args), UsageError);
    await close();
  });
});

describe('events list', () => {
  it('says that the shop refused an event which it had received before', async () => {
    const { close, ledger, pay, run } = await openOperatorShop(folder, 'refused');
    await pay('order-10042', 'c-1');
    const [event] = await ledger.undelivered();
    assert.ok(event);
    await ledger.recordDelivery(event, { deliveredAt: event.created_at });
    assert.match(await run('events', 'list'), / delivered [-0-9]{10} [:0-9]{8}\n/);
    await run('events', 'resend', event.event_id, '--by', 'Ann');
    const due = await ledger.event(event.event_id);
    assert.ok(due);
    await ledger.recordDelivery(due, { nextTryAt: due.created_at, failure: 'HTTP 500' });
    assert.match(await run('events', 'list'), / delivered; sent again: HTTP 500, 1 try\n/);
    await close();
  });
});

describe('orders', () => {
  it('prints each id whole, and no line above 100 columns', async () => {
    const { close, ledger, pay, run } = await openOperatorShop(folder, 'wide');
    const intentId = 'shop-2026-11-28-customer-order-number-of-the-shop-10042';
    const requestId = await pay(intentId, 'c-1');
    const [event] = await ledger.undelivered();
    const isWhole = (printed: string, ...ids: readonly string[]): void => {
      for (const id of ids) assert.ok(printed.split(/\s+/).includes(id), `${id} in ${printed}`);
      for (const line of printed.split('\n')) assert.ok([...line].length <= 100, line);
    };
    isWhole(await run('orders', 'list'), intentId);
    isWhole(await run('orders', 'find', 'shop-2026'), intentId);
    const shown = await run('orders', 'show', requestId);
    isWhole(shown, requestId, event?.event_id ?? '');
    // when the relay asked last, and when it asks again
    assert.match(shown, / \d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/m);
    await close();
  });
});

describe('a reader that needs no more', () => {
  it('ends a command without a word, as the head of a pipe does', async () => {
    const { close, pay } = await openOperatorShop(folder, 'pipe');
    await pay('order-10042', 'c-1');
    const config = ['--config', join(folder, 'pipe.json')];
    const span = ['--from', '2020-01-01', '--to', '2999-01-01'];
    for (const args of [
      ['list', ...config],
      ['export', ...span, ...config],
    ]) {
      const running = runCommand(['orders', ...args], SECRETS);
      running.child.stdout?.destroy();
      assert.deepEqual([await running.code, running.output()], [0, ''], args.join(' '));
    }
    await close();
  });
});

describe('a list by a misspelt name', () => {
  it('is refused for a type, and noted for an option, which may have been removed', async () => {
    const { close, run } = await openOperatorShop(folder, 'misspelt');
    await assert.rejects(run('events', 'list', '--type', 'order.success'), {
      name: 'UsageError',
      message: /^--type: order.success; expected order.created, order.succeeded, /,
    });
    const config = ['--config', join(folder, 'misspelt.json')];
    const list = ['orders', 'list', ...config, '--option'];
    for (const [option, note] of [
      ['nope', /--option: nope is not configured; there are qr, /],
      ['card', /^no order\s*$/],
    ] as const) {
      const running = runCommand([...list, option], SECRETS);
      assert.equal(await running.code, 0);
      assert.match(running.output(), note);
    }
    await close();
  });
});

describe('texts for others', () => {
  it('are refused when they have invisible characters', async () => {
    const { close, pay, run } = await openOperatorShop(folder, 'texts');
    const id = await pay('order-10042', 'c-1');
    const hidden = 'pay 001 \u202e x \u0007';
    const by = ['--by', 'Ann'];
    for (const args of [
      ['options', 'off', 'card', ...by, '--message', `en=${hidden}`],
      ['options', 'off', 'card', ...by, '--message', 'Pay by wallet'],
      ['intents', 'close', id, ...by, '--reason', hidden],
      ['orders', 'resolve', id, ...by, '--as', 'failed', '--note', hidden],
    ])
      await assert.rejects(run(...args), UsageError, args.join(' '));
    await assert.rejects(run('options', 'off', 'card', ...by, '--message', 'Hello'), {
      message: '--message: expected LOCALE=TEXT, such as en=Pay by card today',
    });
    const message = ['--message', 'en=Pay by wallet', '--message', 'pt-BR=Hoje não'];
    const off = await run('options', 'off', 'card', ...by, ...message);
    assert.match(off, /Pay by wallet \/ Hoje não/);
    await close();
  });
});

describe('a copy that was not restored', () => {
  it('is read, and not changed as if it were the ledger', async () => {
    const { close, ledger, pay, run } = await openOperatorShop(folder, 'stamped');
    const id = await pay('order-10042', 'c-1');
    await ledger.writeSetting(BACKUP_AT, '2026-11-27T09:30:00.000Z');
    assert.match(await run('orders', 'list'), /order-10042/);
    const by = ['--by', 'Ann'];
    for (const args of [
      ['intents', 'close', 'order-20042', '--unused', ...by],
      ['orders', 'check', id],
      ['orders', 'resolve', id, '--as', 'failed', '--note', 'lost', ...by],
      ['options', 'off', 'card', ...by],
      ['events', 'resend', '--since', '2026-11-27', ...by],
      ['links', 'revoke', 'link', ...by],
      ['customers', 'erase', 'c-1', ...by],
    ])
      await assert.rejects(run(...args), /is a copy .* start --restored"/, args.join(' '));
    await close();
  });
});

describe('orders check', () => {
  it('fails, and prints the order, when the service gives no answer', async () => {
    const { close, pay, run } = await openOperatorShop(folder, 'unanswered');
    const checking = run('orders', 'check', await pay('order-10042', 'c-1'));
    await assert.rejects(checking, ({ message, printed }: PrintedError) => {
      assert.equal(message, 'the service gave no usable answer');
      assert.match(printed, /gave no usable answer/);
      return true;
    });
    await close();
  });
});

describe('options list', () => {
  it('says nothing of options that are left when the shop takes only deposits', async () => {
    const config = join(folder, 'deposits.json');
    const ledger = `sqlite:${join(folder, 'deposits.db')}`;
    await (await openLedger(ledger)).close();
    const deposits = [{ currency: 'XRP', label: 'XRP', uri_family: 'ripple' }];
    writeFileSync(config, JSON.stringify({ ...testConfig, ledger, options: [], deposits }));
    assert.doesNotMatch(await runHere(['options', 'list', '--config', config]), /is left/);
  });
});

describe('mcp', () => {
  it('reads orders with a copy of the configuration that tells the shop nothing', async () => {
    const { close, pay } = await openOperatorShop(folder, 'agent');
    const id = await pay('order-10042', 'c-1');
    const copy = join(folder, 'agent-copy.json');
    const ledger = `sqlite:${join(folder, 'agent.db')}`;
    writeFileSync(copy, JSON.stringify({ ...testConfig, ledger, secret_key: undefined }));
    const checking = runHere(['orders', 'check', id, '--config', copy]);
    await assert.rejects(checking, /^Error: shop_events and secret_key: missing here/);
    const { child, code, output } = runCommand(['mcp', '--config', copy], SECRETS);
    const params = { name: 'orders_find', arguments: { text: 'order-10042' } };
    child.stdin?.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }));
    assert.equal(await code, 0, output());
    assert.ok(output().includes(id), output());
    await close();
  });
});

describe('times', () => {
  it('end with the day where the clocks change at midnight', () => {
    const { TZ } = process.env;
    const endOf = (zone: string, day: string): string => {
      process.env.TZ = zone;
      const values = { to: day };
      const progress = { set: () => {}, end: () => {} };
      const given = { config: '', id: '', isJson: false, values, progress };
      return new Date(readMoment(given, 'to', 'end') ?? 0).toISOString();
    };
    try {
      assert.deepEqual(
        [
          endOf('America/Santiago', '2026-09-06'),
          endOf('Africa/Cairo', '2027-04-30'),
          endOf('Asia/Beirut', '2026-03-29'),
          endOf('Europe/Berlin', '2026-12-31'),
        ],
        [
          '2026-09-07T02:59:59.999Z',
          '2027-04-30T20:59:59.999Z',
          '2026-03-29T20:59:59.999Z',
          '2026-12-31T22:59:59.999Z',
        ],
      );
    } finally {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    }
  });

  it('are named by their offset where the zone has no name', () => {
    const { TZ } = process.env;
    process.env.TZ = 'UTC+3';
    try {
      assert.equal(footer(), 'Times are of GMT-0300.\n');
    } finally {
      if (TZ === undefined) delete process.env.TZ;
      else process.env.TZ = TZ;
    }
  });

  it('are refused when the day does not exist, or the span ends before it begins', async () => {
    const { close, run } = await openOperatorShop(folder, 'times');
    const since = (text: string): Promise<string> => run('orders', 'list', '--since', text);
    for (const text of ['2026-02-30', '2026-02-30T09:00', '2026-02-30T09:00+03:00'])
      await assert.rejects(since(text), /expected a date such as/, text);
    assert.match(await since('2026-02-28T09:00'), /no order/);
    const backwards = run('orders', 'list', '--since', '2026-11-28', '--until', '2026-11-27');
    await assert.rejects(backwards, /--until: expected a time after --since/);
    await close();
  });
});
