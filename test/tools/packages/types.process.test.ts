/** The types of both packages, in the module of a strict shop. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import ts from 'typescript';
import { compileElement, compileRelay } from './build.js';
import { elementEntries, elementManifest, relayEntries, relayManifest, root } from './manifests.js';
import { problemsInShop } from './shop-types.js';

const shop = mkdtempSync(`${root}node_modules/.types-`);
const packages = [
  { manifest: elementManifest, entries: elementEntries, compile: compileElement },
  { manifest: relayManifest, entries: relayEntries, compile: compileRelay },
];
before(() => {
  for (const { compile, manifest } of packages) {
    const folder = join(shop, 'node_modules', manifest.name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
    compile(join(folder, 'dist'));
  }
  writeFileSync(join(shop, 'package.json'), '{"type": "module"}');
});
after(() => rmSync(shop, { recursive: true }));

describe('the types of the packages', () => {
  it('compile in a strict shop that checks the types of libraries too', () => {
    const lines = packages.flatMap(({ entries, manifest: { name } }) =>
      Object.keys(entries).map(
        (subpath) => `export * as ${nameOf(name, subpath)} from '${join(name, subpath)}';`,
      ),
    );
    assert.deepEqual(problemsInShop(shop, lines.join('\n')), []);
  });

  it('name each parameter of a send, and each option of the client, that a shop writes', () => {
    const code = `
      import { createOrderService } from 'pay-checkout-relay/order-service';
      import type {
        IsLate, OrderServiceOptions, Send, SendOptions, Sign,
      } from 'pay-checkout-relay/order-service';
      const sign: Sign = ({ path }) => ({ 'x-signature': path });
      const sendTo = ({ baseUrl }: SendOptions): Send =>
        async (path, json, signal, headers, isLate: IsLate = () => false) => {
          if (isLate()) throw new Error('late');
          const init = { method: 'POST', body: json, signal, headers };
          const answer = await fetch(baseUrl + path, init);
          return { status: answer.status, text: await answer.text() };
        };
      const options: OrderServiceOptions = { send: sendTo({ baseUrl: 'https://a.example' }), sign };
      createOrderService(options);`;
    assert.deepEqual(problemsInShop(shop, code), []);
  });

  it('take an option that is undefined, in a shop with exactOptionalPropertyTypes', () => {
    const code = `
      import {
        fetchOrder, needsRefund, pgStore, receiveEvents, toUcpAction, verifyEvent,
        type OrderClaims, type ShopEvent,
      } from 'pay-checkout/shop';
      import { nodeRelay } from 'pay-checkout-relay/node';
      import { createSandbox } from 'pay-checkout-relay/sandbox';
      import { fakeEvent, startTestCheckout } from 'pay-checkout-relay/testing';
      const nothing = undefined;
      const access = { relay: '', secret_key: '', fetch: nothing };
      const options = { livemode: nothing, tolerance_s: nothing, now: nothing };
      export const isBack = (event: ShopEvent): boolean => needsRefund(event);
      export const store = (pool: Parameters<typeof pgStore>[0]) =>
        pgStore(pool, { transactions: nothing, time_limit_s: nothing });
      export const receive = (pool: Parameters<typeof pgStore>[0]) =>
        receiveEvents({ ...options, secrets: '', store: pgStore(pool), handle: () => {} });
      export const read = async () => {
        const which = { intent_id: '' };
        const { order } = await fetchOrder(access, which, { expect: nothing, livemode: nothing });
        return [toUcpAction(order, { type: nothing }), verifyEvent('', {}, '', options)];
      };
      export const claims: Partial<OrderClaims> = { remark: nothing, expires_in: nothing };
      export const started = [
        (config: Parameters<typeof nodeRelay>[0], script: URL) =>
          nodeRelay(config, { script, port: nothing, ledger: nothing }),
        createSandbox({ publicUrl: '', statuses: nothing }),
        startTestCheckout({ origins: [], events_url: nothing, log: nothing }),
        fakeEvent('order.succeeded', { secret: nothing }),
      ];`;
    const exact = { exactOptionalPropertyTypes: true };
    assert.deepEqual(problemsInShop(shop, code, exact), []);
  });

  for (const kind of ['Node16', 'Node18', 'NodeNext'] as const)
    it(`type the shop's side in a module in CommonJS, with ${kind}`, () => {
      const code = `import { needsRefund, type ShopEvent } from 'pay-checkout/shop';
        export const isBack = (event: ShopEvent): boolean => needsRefund(event);`;
      const options = { module: ts.ModuleKind[kind], moduleResolution: undefined };
      assert.deepEqual(problemsInShop(shop, code, options, 'shop.cts'), []);
    });

  it('type the handlers of React when nothing else is imported', () => {
    const handle = (field: string): string =>
      `export const ${field}: PayCheckoutProps = {
        onPaySucceeded: ({ order }) => void order.${field}.trim() };`;
    const source = [
      "import type { PayCheckoutProps } from 'pay-checkout/react';",
      handle('amount'),
    ];
    const problems = problemsInShop(shop, [...source, handle('nothing')].join('\n'));
    assert.equal(problems.length, 1, problems.join('\n'));
    assert.match(problems[0] ?? '', /'nothing'/);
  });

  it('type the tag and its events when only the definition is imported', () => {
    const element = "const element = document.createElement('pay-checkout');";
    const listen = (field: string): string =>
      `element.addEventListener('pay-succeeded', ({ order }) => order.${field}.trim());`;
    const code = [element, "element.orderToken = '';", listen('amount'), listen('nothing')];
    for (const definition of ['define', 'pay-checkout.js']) {
      const source = [`import 'pay-checkout/${definition}';`, ...code].join('\n');
      const problems = problemsInShop(shop, source, { skipLibCheck: true });
      assert.equal(problems.length, 1, problems.join('\n'));
      assert.match(problems[0] ?? '', /'nothing'/);
    }
  });
});

const nameOf = (name: string, subpath: string): string => join(name, subpath).replace(/\W/g, '_');
