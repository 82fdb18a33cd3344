/** Passkeys of the operator's console, with the browser's own authenticator for tests. */
import assert from 'node:assert/strict';
import { after, afterEach, before, describe, it } from 'node:test';
import type { CDPSession, Page } from 'playwright-core';
import { brokenRules } from '../../support/axe.js';
import { openShop, type Shop } from '../../support/demo-shop.js';

let shop: Shop;
before(async () => {
  shop = await openShop();
});
afterEach(() => shop.closePages());
after(() => shop.close());

/** A browser with a device that answers each question at once, as if a finger lay on it. */
async function openWithDevice(url = shop.demo.console.url): Promise<{
  page: Page;
  device: CDPSession;
  authenticatorId: string;
}> {
  const page = await shop.open('/', { bypassCSP: true });
  await page.goto(url);
  const device = await page.context().newCDPSession(page);
  await device.send('WebAuthn.enable');
  const { authenticatorId } = await device.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  });
  page.on('dialog', (dialog) => void dialog.accept());
  return { page, device, authenticatorId };
}

async function signInByKey(page: Page): Promise<void> {
  await page.getByLabel('Operator key').fill(shop.demo.console.key);
  await page.keyboard.press('Enter');
  await page.getByRole('navigation').waitFor();
}

const said = (page: Page, text: string): Promise<void> =>
  page.getByRole('status').filter({ hasText: text }).waitFor();
const refused = (page: Page, text: string): Promise<void> =>
  page.getByRole('alert').filter({ hasText: text }).waitFor();

async function addPasskey(page: Page, name: string): Promise<void> {
  await page.getByRole('link', { name: 'Access', exact: true }).click();
  await page.getByLabel('Name of the device').fill(name);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await said(page, 'Added.');
  await page.getByRole('cell', { name, exact: true }).waitFor();
}

async function signInByPasskey(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Use a passkey' }).click();
  await page.getByRole('navigation').waitFor();
}

describe('the passkeys of the console', () => {
  it('open the console in place of the keys, and never leave it without a way in', async () => {
    const { page } = await openWithDevice();
    await page.getByRole('button', { name: 'Use a passkey' }).click();
    await refused(page, 'No passkey was added at localhost');
    await signInByKey(page);
    await addPasskey(page, 'laptop');
    assert.deepEqual(await brokenRules(page), []);
    await page.getByLabel('Name of the device').fill('laptop again');
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await refused(page, 'This device has a passkey of yours already.');
    await page.getByRole('button', { name: 'Switch the keys off' }).click();
    await refused(page, 'Two passkeys of persons who may act must be there first');

    const second = await openWithDevice();
    await signInByKey(second.page);
    await addPasskey(second.page, 'phone');
    await second.page.getByRole('button', { name: 'Switch the keys off' }).click();
    await refused(second.page, 'Sign in with a passkey first');

    await signInByPasskey(page);
    await page.getByRole('button', { name: 'Switch the keys off' }).click();
    await said(page, 'The keys do not open the console any more.');
    // the session that a key had opened has ended
    await second.page.getByRole('link', { name: 'Links' }).click();
    await refused(second.page, 'Your session has ended.');
    await second.page.getByLabel('Operator key').fill(shop.demo.console.key);
    await second.page.keyboard.press('Enter');
    await refused(second.page, 'The operator keys do not open the console any more.');

    await page.getByRole('button', { name: 'Remove phone' }).click();
    await said(page, 'Removed');
    await second.page.getByRole('button', { name: 'Use a passkey' }).click();
    await refused(second.page, 'This passkey was refused');
    await page.getByRole('button', { name: 'Remove laptop' }).click();
    await refused(page, 'Nobody who may act could sign in after that.');

    await page.getByRole('button', { name: 'Switch the keys on' }).click();
    await said(page, 'The keys open the console again.');
    await page.getByRole('cell', { name: 'switched the operator keys on' }).waitFor();
    const acts = await page.getByRole('table').last().getByRole('row').allInnerTexts();
    assert.deepEqual(
      acts.slice(1).map((row) => row.split('\t').slice(1).join(' ')),
      [
        'operator switched the operator keys on',
        'operator removed the passkey phone',
        'operator switched the operator keys off',
        'operator added the passkey phone',
        'operator added the passkey laptop',
      ],
    );
    await page.getByRole('button', { name: 'Remove laptop' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    await signInByKey(second.page);
  });

  it('say at an address why there can be none', async () => {
    const { page } = await openWithDevice(shop.demo.console.url.replace('localhost', '127.0.0.1'));
    await signInByKey(page);
    await page.getByRole('link', { name: 'Access', exact: true }).click();
    await page.getByText('A browser makes passkeys for names, not for an address.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('button', { name: 'Sign in' }).waitFor();
    assert.equal(await page.getByRole('button', { name: 'Use a passkey' }).count(), 0);
  });
});
