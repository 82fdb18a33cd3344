/** The layout of every phase: a title, one notice, the content, and at most three actions. */
import { html, nothing, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { notice } from '../fragments/notice.js';
import type { Screen } from '../fragments/screen.js';
import { sign } from '../fragments/sign.js';
import type { EventOn, ViewContext } from '../fragments/view-context.js';

const MAX_SECONDARY = 2;

export function layout(view: ViewContext, screen: Screen): TemplateResult {
  const { content, footer, heading, hint, look, method, onSubmit, title } = screen;
  const body = html`${content}${actions(view, screen)}`;
  return html`<div
    part=${look === 'problem' ? 'problem' : nothing}
    class="screen ${look ?? ''} ${view.onPhone ? 'phone' : ''} ${view.blind ? 'blind' : ''}"
    @focusin=${keepInSight}
  >
    <h2 tabindex="-1" aria-describedby="note">
      ${screen.sign && sign(screen.sign)}<span>${heading ?? title}</span>
    </h2>
    ${method} ${notice(view, screen)}
    ${
      // a new paragraph for each text: a translator may have replaced the text of the former one
      hint === undefined ? null : keyed(hint, html`<p class="hint">${hint}</p>`)
    }
    ${
      onSubmit
        ? // The element checks the fields: the browser's own sentence may be in another language.
          html`<form part="form" novalidate @submit=${onSubmit}>${body}</form>`
        : body
    }
    ${footer}
  </div>`;
}

function actions(view: ViewContext, screen: Screen): TemplateResult | null {
  const { next, primary, rest = [], secondary = [], sticky, waiting } = screen;
  const offered = secondary.filter((action) => action !== null);
  const shown = offered.slice(0, MAX_SECONDARY);
  const more = folded(view, [...offered.slice(MAX_SECONDARY), ...(screen.more ?? [])]);
  const steps =
    !primary || next === undefined
      ? primary
      : html`<ol class="steps">
          <li>${primary}</li>
          <li>${next}</li>
        </ol>`;
  const hasOthers = [...shown, ...rest, more].some(Boolean);
  if (!primary && !waiting && !hasOthers) return null;
  return html`<div part="actions" class="actions ${sticky ? 'sticky' : ''}">
    ${steps} ${waiting}
    ${
      // parts of their own: an action that comes late is not drawn into the next one's node
      hasOthers ? html`<div class="secondary">${shown}${rest}${more}</div>` : null
    }
  </div>`;
}

/** The actions that a customer seldom needs. */
function folded({ t }: ViewContext, maybe: NonNullable<Screen['more']>): TemplateResult | null {
  const all = maybe.filter((action) => action !== null);
  return all.length === 0
    ? null
    : html`<details class="more">
        <summary>${t('more')}</summary>
        ${all}
      </details>`;
}

/**
 * Scrolls a field that gets the focus out from behind a sticky button. A browser scrolls to a field
 * outside the window, but not to one that another element covers.
 */
function keepInSight({ currentTarget: screen, target }: EventOn<Element>): void {
  // A tap has hit its field, so the field is in sight; a scroll would move it off the finger.
  if (!(target instanceof Element && target.matches(':focus-visible'))) return;
  const field = target.closest('label');
  const { top = Infinity } = screen.querySelector('.sticky')?.getBoundingClientRect() ?? {};
  if (field && field.getBoundingClientRect().bottom > top)
    field.scrollIntoView({ block: 'center' });
}
