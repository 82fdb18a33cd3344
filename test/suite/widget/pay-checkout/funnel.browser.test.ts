/** The lines of the guide to the funnel count the steps of a customer who pays. */
import { expect } from '@open-wc/testing';
import { createWorld } from '../../support/world.js';
import { clear, open, stageChoosing } from './stage.js';

async function linesOfGuide(): Promise<string> {
  const page = await (await fetch('/docs/guides/funnel.md')).text();
  return /```js\n([^]*?)```/.exec(page)?.[1] ?? '';
}

describe('the funnel of the guide', () => {
  const { sendBeacon } = navigator;
  afterEach(() => {
    navigator.sendBeacon = sendBeacon;
    clear();
  });

  it('sends each step once to the shop’s own address, and nothing else', async () => {
    const code = await linesOfGuide();
    expect(code.trimEnd().split('\n')).to.have.length(15);
    const sent: unknown[][] = [];
    navigator.sendBeacon = (...step) => Boolean(sent.push(step));
    const world = createWorld();
    const { click, element, phase } = await stageChoosing(world, open);
    new Function(code)();
    expect(sent, 'the ways to pay were shown before').to.deep.equal([['/funnel', 'shown']]);
    element.restart();
    await phase('choosing');
    click('[data-action="pay"]');
    await phase('awaiting_payment');
    const [order] = world.sandbox.orders.all();
    world.sandbox.orders.act(order!, 'confirm');
    await element.checkNow();
    await phase('succeeded');
    expect(sent).to.deep.equal([
      ['/funnel', 'shown'],
      ['/funnel', 'chosen'],
      ['/funnel', 'code'],
      ['/funnel', 'paid'],
    ]);
  });
});
