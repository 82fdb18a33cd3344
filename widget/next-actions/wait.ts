/** The answer has no link: the customer has nothing to do on this page. */
import { html } from 'lit';
import type { NextActionView } from './next-action-view.js';

export const wait: NextActionView<'wait'> = {
  kind: 'wait',
  title: 'wait',
  render: (view) => html`<p class="hint">${view.t('wait_hint')}</p>`,
};
