/** What a screen reader says of a screen: its title, and once. */
import { expect } from '@open-wc/testing';
import '../../../../widget/define.js';
import { states } from '../../../../demo/element-states.js';
import { createWorld, until } from '../../support/world.js';
import { clear, open, stageChoosing, stageState } from '../pay-checkout/stage.js';

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

  it('hears a new title by the status line when the focus is elsewhere', async () => {
    const { click, element, phase } = await stageChoosing(createWorld(), open);
    click('[data-action="pay"]');
    await phase('awaiting_payment');
    const root = element.shadowRoot;
    expect(textOf(root, 'h2')).not.to.equal('');
    expect(textOf(root, '[role="status"]')).to.equal(textOf(root, 'h2'));
  });
});
