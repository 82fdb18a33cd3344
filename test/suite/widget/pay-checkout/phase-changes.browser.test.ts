/** Nothing jumps when the phase changes: the card grows or shrinks from where it was. */
import { expect } from '@open-wc/testing';
import { states, type ShownState } from '../../../../demo/element-states.js';
import { elementIn, settled } from '../../../../demo/element-in-state.js';
import type { PayCheckout } from '../../../../widget/pay-checkout.js';
import { createWorld, until, type World } from '../../support/world.js';
import { fetchOf, texts } from './relay-fetch.js';
import { clear, holdMedia, open, stage, type Stage } from './stage.js';

/** A shift of one pixel comes from rounding. */
const MAX_SHIFT_PX = 1;

/** Puts an element into a page of a shop, with text above and below it. */
function putInPage(element: PayCheckout, width: number): HTMLElement {
  const [above, below] = ['Basket', 'Imprint'].map((text) => {
    const line = document.createElement('p');
    line.textContent = text;
    return line;
  });
  const frame = document.createElement('div');
  frame.style.width = `${width}px`;
  frame.append(above!, element, below!);
  document.body.append(frame);
  return below!;
}

function stageInPage(world: World, width: number): Stage & { below: HTMLElement } {
  const staged = stage(world, open);
  return { ...staged, below: putInPage(staged.element, width) };
}

/** Reads in the first moment of a change, before any motion; then ends the motion. */
async function inFirstMoment<Value>(element: PayCheckout, read: () => Value): Promise<Value> {
  await element.updateComplete;
  const motions = (element.shadowRoot?.getAnimations() ?? []).filter(
    ({ effect }) => effect?.getTiming().iterations !== Infinity,
  );
  for (const motion of motions) {
    motion.pause();
    motion.currentTime = 0;
  }
  const first = read();
  for (const motion of motions) motion.finish();
  return first;
}

const topOf = (element: Element | null | undefined): number =>
  (element?.getBoundingClientRect().top ?? 0) + scrollY;

type Places = { header: number; title: number; below: number };

describe('a change of the phase', () => {
  afterEach(() => {
    clear();
    document.body.replaceChildren();
  });

  for (const width of [390, 1280])
    it(`moves nothing at once at ${width} px, from the choice to the payment`, async () => {
      const world = createWorld();
      const { below, click, element, phase } = stageInPage(world, width);
      const hold: (() => void)[] = [];
      element.fetch = async (url, init) => {
        if (/\/v1\/(checkout|pay)$/.test(url)) await new Promise<void>((go) => hold.push(go));
        return fetchOf(world)(url, init);
      };
      const find = (selector: string): HTMLElement | null =>
        element.shadowRoot?.querySelector<HTMLElement>(selector) ?? null;
      const places = (): Places => ({
        header: topOf(find('.summary')),
        title: topOf(find('.screen')),
        below: topOf(below),
      });
      const atFirst = (): Promise<Places> => inFirstMoment(element, places);
      const all = ['header', 'title', 'below'] as const;
      const change = async (
        act: () => void,
        to: string,
        kept: readonly (keyof Places)[] = all,
      ): Promise<void> => {
        const before = places();
        act();
        await phase(to);
        await until(() => find('.screen') !== null, 'a screen');
        const first = await atFirst();
        for (const place of kept)
          expect(Math.abs(first[place] - before[place]), `${place} at ${to}`).to.be.at.most(
            MAX_SHIFT_PX,
          );
      };
      const order = (): ReturnType<World['sandbox']['orders']['all']>[number] =>
        world.sandbox.orders.all().at(-1)!;

      await until(() => find('.skeleton') !== null, 'the skeleton');
      const answer = (): void => hold.splice(0).forEach((go) => go());
      await until(() => hold.length > 0, 'the request for the checkout');
      await change(answer, 'choosing', ['below']);
      await change(() => click('[data-action="pay"]'), 'submitting');
      await until(() => hold.length > 0, 'the pay');
      await change(answer, 'awaiting_payment');
      await change(() => world.sandbox.orders.act(order(), 'decline'), 'failed');
      await change(() => click('[data-action="choose-again"]'), 'choosing');
      // The header goes, because the amount is no longer due; the page below must not jump.
      await change(() => world.sandbox.orders.act(order(), 'pay_late'), 'succeeded', ['below']);
    });

  /** A state that turns into the state `next` when the element queries its order. */
  const followedBy = (first: ShownState, next: ShownState): ShownState => ({
    ...first,
    queried: (now) => {
      const answer = next.answer(now);
      const { order } = (answer as { body: { order: object } }).body;
      return { status: 200, body: { order } };
    },
  });
  const moved: Record<string, number> = {};
  const shiftOf = async (
    element: PayCheckout,
    below: HTMLElement,
    act: () => unknown,
  ): Promise<number> => {
    const before = topOf(below);
    await act();
    return Math.abs((await inFirstMoment(element, () => topOf(below))) - before);
  };

  for (const name of [
    'confirming',
    'succeeded',
    'failed',
    'expired',
    'unmapped',
    'review',
    'closed',
  ])
    it(`moves nothing below the card at once when an order is ${name}`, async () => {
      const state = followedBy(states.awaiting_payment!, states[name]!);
      const element = elementIn(state, texts);
      const below = putInPage(element, 390);
      await settled(element, state);
      moved[name] = await shiftOf(element, below, async () => {
        await element.checkNow();
        await until(() => element.phase === name, name);
      });
      expect(moved[name]).to.be.at.most(MAX_SHIFT_PX);
    });

  for (const name of ['choosing', 'showing_deposit_address', 'problem'])
    it(`moves nothing below the card at once when ${name} follows the skeleton`, async () => {
      const element = elementIn(states[name]!, texts);
      const { fetch } = element;
      let go = (): void => {};
      const held = new Promise<void>((resolve) => (go = resolve));
      element.fetch = async (url, init) => {
        await held;
        return fetch!(url, init);
      };
      const below = putInPage(element, 390);
      await until(() => element.shadowRoot?.querySelector('.skeleton') != null, 'the skeleton');
      moved[name] = await shiftOf(element, below, async () => {
        go();
        await until(() => element.shadowRoot?.querySelector('.screen') != null, name);
      });
      expect(moved[name]).to.be.at.most(MAX_SHIFT_PX);
    });

  for (const [what, name, act] of [
    [
      'the connection is lost',
      'awaiting_payment',
      () => {
        Object.defineProperty(navigator, 'onLine', { value: false, configurable: true });
        dispatchEvent(new Event('offline'));
      },
    ],
    [
      'an option asks for contact data',
      'choosing',
      (element: PayCheckout) =>
        element.shadowRoot?.querySelector<HTMLElement>('[data-option="card"] input')?.click(),
    ],
  ] as const)
    it(`moves neither the page nor the buttons at once when ${what}`, async () => {
      const element = elementIn(states[name]!, texts);
      const below = putInPage(element, 390);
      await settled(element, states[name]!);
      const actions = (): number => topOf(element.shadowRoot?.querySelector('.actions'));
      const places = (): number[] => [actions(), topOf(below)];
      const before = places();
      act(element);
      const first = await inFirstMoment(element, places);
      Reflect.deleteProperty(navigator, 'onLine');
      for (const [index, place] of first.entries())
        expect(place).to.be.closeTo(before[index]!, MAX_SHIFT_PX);
      expect(actions(), 'the buttons have moved in the end').to.be.above(before[0]!);
      moved[what] = Math.abs(first[1]! - before[1]!);
    });

  const frame = (): Promise<unknown> => new Promise(requestAnimationFrame);
  for (const [what, name, selector] of [
    ['the folded list opens', 'awaiting_payment', '.more > summary'],
    [
      'a long product name is shown in full',
      'a product name of 500 characters',
      '.product summary',
    ],
    ['the kinds of codes of a deposit open', 'showing_deposit_address', '.codes summary'],
    ['errors appear beside the fields', 'choosing, contact data asked', '[data-action="pay"]'],
  ] as const)
    it(`moves nothing below the card at once when ${what}, unless motion is unwanted`, async () => {
      const element = elementIn(states[name]!, texts);
      const below = putInPage(element, 390);
      await settled(element, states[name]!);
      const click = async (): Promise<unknown> => {
        element.shadowRoot?.querySelector<HTMLElement>(selector)?.click();
        return frame();
      };
      const before = topOf(below);
      moved[what] = await shiftOf(element, below, click);
      expect(moved[what]).to.be.at.most(MAX_SHIFT_PX);
      const after = topOf(below);
      expect(after, 'the page has moved in the end').to.be.above(before);
      if (!selector.endsWith('summary')) return;
      holdMedia('(prefers-reduced-motion: reduce)');
      await click();
      const motions = element.shadowRoot!.querySelector('.base')!.getAnimations();
      expect(motions).to.deep.equal([]);
      expect(topOf(below)).to.be.closeTo(before, MAX_SHIFT_PX);
    });

  it('keeps every line in its place when an address and its tag are copied', async () => {
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: () => Promise.resolve() },
      configurable: true,
    });
    const element = elementIn(states.showing_deposit_address!, texts);
    putInPage(element, 390);
    await settled(element, states.showing_deposit_address!);
    const root = element.shadowRoot!;
    const lines = (): number[] =>
      [...root.querySelectorAll('.block, .copy-field, .step, .field-label bdi, output')]
        .flatMap((part) => [topOf(part), part.getBoundingClientRect().height])
        .map(Math.round);
    const before = lines();
    root.querySelector<HTMLElement>('[part~="address"] + button')?.click();
    await until(() => root.querySelectorAll('.done').length === 1, 'the address is copied');
    expect(lines()).to.deep.equal(before);
    root.querySelector<HTMLElement>('[part~="tag"] + button')?.click();
    await until(() => root.querySelectorAll('.done').length === 2, 'the tag is copied');
    Reflect.deleteProperty(navigator, 'clipboard');
    expect(lines()).to.deep.equal(before);
  });

  it('moves nothing below the card at once when the browser refuses to copy', async () => {
    Object.defineProperty(navigator, 'clipboard', {
      value: { writeText: () => new Promise((_, refuse) => setTimeout(refuse, 50)) },
      configurable: true,
    });
    const element = elementIn(states.awaiting_payment!, texts);
    const below = putInPage(element, 390);
    await settled(element, states.awaiting_payment!);
    const button = element.shadowRoot!.querySelector<HTMLElement>('[part~="copy"]')!;
    button.focus();
    const before = topOf(below);
    button.click();
    await until(() => button.dataset.state === 'failed', 'the copy is refused');
    await frame();
    Reflect.deleteProperty(navigator, 'clipboard');
    const what = 'the browser refuses to copy';
    moved[what] = Math.abs((await inFirstMoment(element, () => topOf(below))) - before);
    expect(moved[what]).to.be.at.most(MAX_SHIFT_PX);
    expect(topOf(below), 'the page has moved in the end').to.be.above(before);
    const focused = element.shadowRoot!.activeElement;
    expect(focused?.textContent, 'the text to copy has the focus').to.contain('00020101');
  });

  after(() => console.log(`figures: layout shift in px: ${JSON.stringify(moved)}`));
});
