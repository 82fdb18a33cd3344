/** One calm sentence, a reference for the operator, and a way on. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Problem } from '../problem.js';
import type { ViewContext } from '../fragments/view-context.js';
import { problemText } from '../texts/texts.js';

export function problemView({ t, actions }: ViewContext, problem: Problem): TemplateResult {
  const anew = problem.code === 'intent_conflict';
  const sentence = problemText(problem);
  const again = sentence === 'problem_paid' ? 'check_now' : 'retry';
  return html`<div part="problem" class="problem">
    <h2>${t('problem')}</h2>
    <p class="hint">${t(sentence)}</p>
    ${problem.reference === undefined ? nothing : html`<p class="fine">${t('reference')} <bdi class="mono" translate="no">${problem.reference}</bdi></p>`}
    <div part="actions" class="actions main">
      <button
        type="button"
        class="primary"
        data-action="retry"
        @click=${() => (anew ? actions.restart() : actions.retry())}
      >
        ${t(anew ? 'restart' : again)}
      </button>
    </div>
  </div>`;
}
