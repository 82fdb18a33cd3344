/** A problem: one sentence, the reference for the operator, and a button to continue. */
import { html, nothing, type TemplateResult } from 'lit';
import type { Problem } from '../problem.js';
import type { ViewContext } from '../fragments/view-context.js';
import { problemText } from '../texts/texts.js';

export function problemView({ t, actions }: ViewContext, problem: Problem): TemplateResult {
  const mustRestart = problem.code === 'intent_conflict';
  const sentence = problemText(problem);
  const retryLabel = sentence === 'problem_paid' ? 'check_now' : 'retry';
  const { reference } = problem;
  return html`<div part="problem" class="problem">
    <h2>${t('problem')}</h2>
    <p class="hint">${t(sentence)}</p>
    ${
      reference === undefined
        ? nothing
        : html`<p class="fine">
            ${t('reference')} <bdi class="mono" translate="no">${reference}</bdi>
          </p>`
    }
    <div part="actions" class="actions main">
      <button
        type="button"
        class="primary"
        data-action="retry"
        @click=${() => (mustRestart ? actions.restart() : actions.retry())}
      >
        ${t(mustRestart ? 'restart' : retryLabel)}
      </button>
    </div>
  </div>`;
}
