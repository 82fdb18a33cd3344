/** The configuration as it stands, and what is wrong with it. */
import { html } from 'lit';
import type { Answers } from '../api.js';
import type { Page } from '../page.js';
import { table } from '../parts.js';

const LEVELS = { ok: 'fine', warn: 'look at it', error: 'wrong' } as const;

export const configuration: Page<Answers['configuration']> = {
  title: 'Configuration',
  load: (api) => api.call('configuration'),
  view: (data) => html`
    ${table(
      'Findings',
      ['', 'Field', 'What'],
      data.findings.map(({ level, path, text }) => [
        html`<span class="outcome ${level}">${LEVELS[level]}</span>`,
        html`<code>${path}</code>`,
        text,
      ]),
      'There is nothing to say.',
    )}
    <p class="hint">
      The command <code>pay-checkout-relay check</code> also asks the service, the ledger and the
      shop's receiver.
    </p>
    <h2>As the relay uses it</h2>
    <pre tabindex="0">${JSON.stringify(data.configuration, null, 2)}</pre>
  `,
};
