/** What a screen reader says of a screen: its title, and once. */
import { expect } from '@open-wc/testing';
import '../../../../widget/define.js';
import { states } from '../../../../demo/element-states.js';
import { checkoutAnswer, instant, sampleOrder } from '../../../../demo/sample-answers.js';
import { timing } from '../../../../widget/timing.js';
import { createWorld, until } from '../../support/world.js';
import {
  clear,
  open,
  stageAwaiting,
  stageChoosing,
  stageState,
  type Stage,
} from '../pay-checkout/stage.js';

const textOf = (root: ParentNode | null | undefined, selector: string): string =>
  root?.querySelector(selector)?.textContent?.trim() ?? '';

describe('a screen reader', () => {
  afterEach(clear);

  it('finds the words of the skeleton once', async () => {
    const { shadowRoot } = await stageState(states.loading);
    expect(textOf(shadowRoot, '.base').match(/Preparing your payment/g)).to.have.length(1);
    expect(textOf(shadowRoot, '[role="status"]')).to.equal('Preparing your payment…');
  });

  it('hears a new title by the focus alone when the focus moves there', async () => {
    const { click, element, phase } = await stageChoosing(createWorld(), open);
    const root = element.shadowRoot;
    root?.querySelector<HTMLElement>('[data-action="pay"]')?.focus();
    click('[data-action="pay"]');
    await phase('awaiting_payment');
    expect(root?.activeElement?.localName).to.equal('h2');
    await until(() => textOf(root, '[role="status"]') === '', 'the status line is empty');
  });

  it('hears the warning of a new screen with the title that gets the focus', async () => {
    const { click, element, phase } = await stageAwaiting(createWorld(), open);
    const root = element.shadowRoot!;
    root.querySelector<HTMLElement>('[data-action="choose-again"]')?.focus();
    click('[data-action="choose-again"]');
    await phase('choosing');
    await element.updateComplete;
    const described = root.activeElement?.getAttribute('aria-describedby') ?? '';
    expect(root.getElementById(described)?.textContent).to.include('can still be paid');
  });

  it('hears when another order turns out to be payable', async () => {
    const element = await stageState({
      ...states.awaiting_payment!,
      queried: (now) => ({
        status: 200,
        body: { order: sampleOrder(now, { other_payable: true }) },
      }),
    });
    const spoken = (): string => textOf(element.shadowRoot, '[data-spoken]');
    await element.checkNow();
    await until(() => spoken().includes('pay only one'), 'the warning');
  });

  it('hears no warning about another order when this one is paid', async () => {
    const paid = { outcome: 'succeeded', status: 20, other_payable: true } as const;
    const element = await stageState({
      ...states.awaiting_payment!,
      queried: (now) => ({ status: 200, body: { order: sampleOrder(now, paid) } }),
    });
    await element.checkNow();
    await until(() => element.phase === 'succeeded', 'the payment');
    await element.updateComplete;
    expect(textOf(element.shadowRoot, '[data-spoken]')).not.to.include('pay only one');
  });

  it('hears a new title by the status line when the focus is elsewhere', async () => {
    const { click, element, phase } = await stageChoosing(createWorld(), open);
    click('[data-action="pay"]');
    await phase('awaiting_payment');
    const root = element.shadowRoot;
    expect(textOf(root, 'h2')).not.to.equal('');
    expect(textOf(root, '[role="status"]')).to.equal(textOf(root, 'h2'));
  });
});

describe('a text that is spoken a moment later', () => {
  const { after } = timing;
  const held = new Set<() => void>();
  beforeEach(() => {
    held.clear();
    timing.after = (ms, run) => {
      if (ms !== 100) return after(ms, run);
      held.add(run);
      return () => held.delete(run);
    };
  });
  afterEach(() => {
    Reflect.deleteProperty(navigator, 'onLine');
    clear();
  });

  /** Runs what waits, and reads what a screen reader hears then. */
  async function spoken({ element }: Pick<Stage, 'element'>): Promise<string> {
    for (const run of held) run();
    await element.updateComplete;
    return textOf(element.shadowRoot, '[data-spoken]');
  }

  function goOffline(): void {
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: false });
    dispatchEvent(new Event('offline'));
  }

  async function stageOffline(): Promise<Stage> {
    const staged = await stageAwaiting(createWorld(), open);
    goOffline();
    return staged;
  }

  it('is spoken', async () => {
    expect(await spoken(await stageOffline())).not.to.equal('');
  });

  for (const name of ['succeeded', 'showing_deposit_address', 'a deposit received'])
    it(`is not spoken in the state “${name}” when the connection is lost`, async () => {
      const element = await stageState(states[name]);
      goOffline();
      expect(await spoken({ element })).to.equal('');
      expect(element.shadowRoot?.querySelector('.note')?.textContent ?? '').not.to.include(
        'offline',
      );
    });

  for (const [closed, heard] of [
    [false, 'Time left to pay: 04:00'],
    [true, ''],
  ] as const)
    it(`is “${heard}” when the time runs of an order that is closed: ${closed}`, async () => {
      const { setInterval } = window;
      const { now } = Date;
      const ticks: (() => void)[] = [];
      Object.assign(window, { setInterval: (tick: () => void) => ticks.push(tick) });
      const startMs = now();
      const order = sampleOrder(startMs, { closed, expires_at: instant(startMs + 241_000) });
      const element = await stageState({
        phase: closed ? 'closed' : 'awaiting_payment',
        answer: () => checkoutAnswer({}, order),
      });
      for (const leftMs of [0, 2000]) {
        Date.now = () => startMs + leftMs;
        for (const tick of ticks) tick();
      }
      const text = await spoken({ element });
      Object.assign(window, { setInterval });
      Date.now = now;
      expect(text).to.match(heard === '' ? /^$/ : /^Time left to pay: 0/);
    });

  it('is not spoken of the next screen', async () => {
    const staged = await stageOffline();
    staged.click('[data-action="choose-again"]');
    await staged.phase('choosing');
    expect(await spoken(staged)).to.equal('');
  });

  it('is not spoken of another purchase', async () => {
    const staged = await stageOffline();
    staged.element.amount = '13';
    await staged.element.updateComplete;
    expect(await spoken(staged)).to.equal('');
  });

  it('is not spoken after a newer one', async () => {
    const staged = await stageOffline();
    const [older] = held;
    Object.defineProperty(navigator, 'onLine', { configurable: true, value: true });
    dispatchEvent(new Event('online'));
    expect(held.has(older!)).to.equal(false);
    expect(await spoken(staged)).to.equal('');
  });
});
