/**
 * A road is a way in which the element gets onto a shop's page. On every road, under a policy of
 * the guide, the customer pays without a violation. The same page then reports a deliberate one.
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { buildWidget } from '../../support/built-widget.js';
import { keepOlderBuild, type OlderBuild } from '../../support/older-build.js';
import { inPhase } from '../../support/demo-shop.js';
import { JOURNEYS } from './strict-journeys.js';
import { ROADS } from './strict-roads.js';
import { openStrictShop, type StrictShop } from './strict-shop.js';
import { refusesInlineScript, reportsHtml, withoutViolation } from './strict-violations.js';

const folder = mkdtempSync(join(tmpdir(), 'strict-roads-'));
const ledger = `sqlite:${join(folder, 'ledger.db')}`;

let shop: StrictShop;
let older: OlderBuild;
before(async () => {
  buildWidget();
  older = await keepOlderBuild(ledger);
  shop = await openStrictShop({
    ledger,
    options: [
      {
        id: 'qr',
        label: 'QR code',
        payment_method: 'direct',
        payment_type: 'qrcode',
        payment_channel: 'sbp_qr',
      },
    ],
    open_amount: { USD: { min: '1', max: '500' } },
  });
});
after(async () => {
  await shop.close();
  rmSync(folder, { recursive: true });
});

const pay = JOURNEYS['a QR code that is enlarged and saved, to success'];

describe('the roads of the element onto a strict page', () => {
  for (const [fact, road] of Object.entries(ROADS))
    for (const policy of road.policies)
      it(`reports only deliberate violations when ${fact}, under “${policy}”`, async () => {
        const strictPage = { policy, ...(await road.page(shop, older)) };
        const visit = await shop.visit(strictPage);
        await withoutViolation(shop, visit, async () => {
          await inPhase(visit.page, 'choosing');
          assert.ok(pay);
          await pay(shop, visit.page);
          await road.check(shop, visit, older);
        });
        await reportsHtml(shop, visit);
        // the report of a violation may come after the payment, but not after a later violation's
        assert.deepEqual(
          visit.violations.filter((line) => !/TrustedHTML|trusted-types/.test(line)),
          [],
        );
        await visit.close();
        await refusesInlineScript(shop, strictPage);
      });
});
