/** Nothing jumps when the phase changes: the card grows or shrinks from where it was. */
import { expect } from '@open-wc/testing';
import { createWorld, until, type World } from '../support/world.js';
import { clear, open, stage, type Stage } from './stage.js';

/** Changes on one pixel come from rounding. */
const MAX_SHIFT_PX = 1;

/** A page of a shop, with text above and below the element. */
function stageInPage(world: World, width: number): Stage & { below: HTMLElement } {
  const staged = stage(world, open);
  const [above, below] = ['Basket', 'Imprint'].map((text) => {
    const line = document.createElement('p');
    line.textContent = text;
    return line;
  });
  const frame = document.createElement('div');
  frame.style.width = `${width}px`;
  frame.append(above!, staged.element, below!);
  document.body.append(frame);
  return { ...staged, below: below! };
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
        return url.includes('/locales/')
          ? fetch(`/widget/texts${new URL(url).pathname}`, init)
          : world.relay.fetch(new Request(url, init));
      };
      const find = (selector: string): HTMLElement | null =>
        element.shadowRoot?.querySelector<HTMLElement>(selector) ?? null;
      const places = (): Places => ({
        header: topOf(find('.summary')),
        title: topOf(find('.screen')),
        below: topOf(below),
      });
      /** Where things stand in the first moment of the change, before any motion. */
      const atFirst = async (): Promise<Places> => {
        await element.updateComplete;
        const motions = find('.base')?.getAnimations() ?? [];
        expect(motions.length, 'the height is animated').to.equal(1);
        for (const motion of motions) {
          motion.pause();
          motion.currentTime = 0;
        }
        const first = places();
        for (const motion of motions) motion.finish();
        return first;
      };
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
      await until(() => hold.length > 0, 'the question');
      await change(answer, 'choosing', ['below']);
      await change(() => click('[data-action="pay"]'), 'submitting');
      await until(() => hold.length > 0, 'the pay');
      await change(answer, 'awaiting_payment');
      await change(() => world.sandbox.orders.act(order(), 'decline'), 'failed');
      await change(() => click('[data-action="choose-again"]'), 'choosing');
      // The header goes, because the amount is no longer due; the page below must not jump.
      await change(() => world.sandbox.orders.act(order(), 'pay_late'), 'succeeded', ['below']);
    }).timeout(30_000);
});
