/** The enlarged code, which covers the rest of the card. */
import { expect } from '@open-wc/testing';
import '../../../../widget/define.js';
import { states } from '../../../../demo/element-states.js';
import { clear, stageState } from '../pay-checkout/stage.js';

describe('an enlarged code', () => {
  afterEach(clear);

  it('says which amount it pays and to which shop, inside the window', async () => {
    const element = await stageState(states.awaiting_payment);
    element.shadowRoot?.querySelector<HTMLElement>('[data-action="enlarge"]')?.click();
    const dialog = element.shadowRoot?.querySelector<HTMLDialogElement>('dialog.large');
    expect(dialog?.open).to.equal(true);
    expect(dialog?.querySelector('p')?.textContent.trim()).to.equal('€48.50 · Bean & Leaf');
    expect(dialog!.scrollHeight, 'cut off').to.equal(dialog!.clientHeight);
    expect(getComputedStyle(dialog!).borderRadius).to.equal('12px');
    dialog?.close();
  });
});
