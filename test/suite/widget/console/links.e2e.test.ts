/** The list of pay links: what it says of each, and that it stays as long as a person made it. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { Page } from 'playwright-core';
import { HOUR_MS } from '../../../../relay/contract/durations.js';
import { createWorld, openIntent } from '../../support/world.js';
import { openConsole, type ConsoleBrowser } from './console-browser.js';

/** Rows of the first answer. */
const FIRST = 50;
const OPEN = 60;
const LONG_NAME = `Quarter of the ${'Donaudampfschifffahrtsgesellschaft'.repeat(3)}`;
const UNUSED = `pl_${'a'.repeat(16)}`;

const world = createWorld();
let browser: ConsoleBrowser;
const add = (id: string, expires_at: number, uses: { uses: number; used: number }): Promise<void> =>
  world.ledger.addPayLink({
    pay_link_id: id,
    token_digest: `digest of ${id}`,
    terms: JSON.stringify({
      ...openIntent,
      ...(id === 'pl_1' && { product_name: LONG_NAME }),
      customer_ref_id: 'c-1',
    }),
    ...uses,
    created_at: 0,
    expires_at,
    revoked_at: null,
    revoked_by: null,
    erased_at: null,
    erased_by: null,
  });
before(async () => {
  const end = Date.now() + HOUR_MS;
  for (let number = 1; number <= OPEN; number++)
    await add(`pl_${number}`, end - number, { uses: 1, used: 0 });
  await add('pl_many', end - OPEN - 1, { uses: 3, used: 2 });
  await add(UNUSED, end - OPEN - 2, { uses: 1, used: 0 });
  await add('pl_ended', Date.now() - HOUR_MS, { uses: 1, used: 0 });
  browser = await openConsole(world);
});
afterEach(() => browser.closePages());
after(() => browser.close());

const row = (page: Page, id: string) =>
  page.getByRole('row').filter({ has: page.getByText(id, { exact: true }) });

async function openLinks(): Promise<Page> {
  const page = await browser.signIn();
  page.on('dialog', (dialog) => void dialog.accept());
  await page.getByRole('link', { name: 'Links', exact: true }).click();
  await row(page, `pl_${FIRST}`).waitFor();
  return page;
}

describe('the list of pay links', () => {
  it('keeps what a person can press in sight, beside a long name and on a phone', async () => {
    const page = await openLinks();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 800 });
      const revoke = await page.getByRole('button', { name: 'Revoke' }).first().boundingBox();
      assert.ok(revoke && revoke.x + revoke.width <= width, `${revoke?.x} of ${width} px`);
    }
  });

  it('leaves room on a phone for the facts beside what a person can press', async () => {
    const page = await openLinks();
    await page.setViewportSize({ width: 390, height: 800 });
    const revoked = row(page, 'pl_2');
    await revoked.getByRole('button', { name: 'Revoke' }).click();
    await revoked.getByText('revoked by').waitFor();
    const cell = await page.getByRole('cell', { name: 'Revoke' }).first().boundingBox();
    assert.ok(cell && cell.width <= 140, `${cell?.width} of 366 px`);
  });

  it('counts the uses of a link with several, and offers to revoke only what is open', async () => {
    const page = await openLinks();
    await page.getByRole('button', { name: 'Show more' }).click();
    await row(page, 'pl_many').filter({ hasText: '2 of 3' }).waitFor();
    await row(page, `pl_${OPEN}`).filter({ hasText: 'single use' }).waitFor();
    const ended = row(page, 'pl_ended').filter({ hasText: 'ended' });
    await ended.waitFor();
    assert.equal(await ended.getByRole('button').count(), 0);
  });

  it('still shows the rows that the person has asked for when one of them is revoked', async () => {
    const page = await openLinks();
    await page.getByRole('button', { name: 'Show more' }).click();
    const revoked = row(page, `pl_${OPEN}`);
    await revoked.getByRole('button', { name: 'Revoke' }).click();
    await revoked.filter({ hasText: 'revoked by Ann' }).waitFor();
    const head = 1;
    assert.equal(await page.getByRole('row').count(), head + OPEN + 3);
    assert.equal(await page.getByRole('button', { name: 'Show more' }).count(), 0);
  });

  it('leads from a link that nobody has used to what it sells', async () => {
    const page = await openLinks();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('link', { name: UNUSED }).click();
    const found = page.getByRole('row').filter({ hasText: 'no order yet' });
    assert.match(await found.innerText(), /pay link id.*12\.50.*c-1/s);
  });
});
