/** The enlarged code, which covers the rest of the card. */
import { expect } from '@open-wc/testing';
import { setViewport } from '@web/test-runner-commands';
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

  it('can be enlarged again after the page has moved the element', async () => {
    const element = await stageState(states.awaiting_payment);
    const dialog = element.shadowRoot!.querySelector<HTMLDialogElement>('dialog.large')!;
    const enlarge = (): void =>
      element.shadowRoot!.querySelector<HTMLElement>('[data-action="enlarge"]')!.click();
    enlarge();
    const place = document.createElement('div');
    document.body.append(place);
    place.append(element);
    expect(dialog.open).to.equal(false);
    enlarge();
    expect(dialog.matches(':modal')).to.equal(true);
    dialog.close();
    place.remove();
  });

  it('is never smaller than the code on the card', async () => {
    await setViewport({ width: 700, height: 300 });
    const element = await stageState(states.awaiting_payment);
    const [small, large] = [...element.shadowRoot!.querySelectorAll('svg.qr')].map((code) =>
      Number(code.getAttribute('width')),
    );
    await setViewport({ width: 1280, height: 800 });
    expect(large).to.be.at.least(small!);
  });
});
