/** The screen of a problem: its title, one sentence, and an action that helps. */
import { html } from 'lit';
import { SUBJECT_PROPERTIES } from '../checkout/read-subject.js';
import { isPayLinkPage } from '../browser/resume.js';
import type { Offer } from '../checkout/flow.js';
import { button, contact, ownReturnUrl, returnLink, supportLink } from '../fragments/actions.js';
import { named } from '../fragments/order-facts.js';
import type { MaybeAction, Screen } from '../fragments/screen.js';
import type { ViewContext } from '../fragments/view-context.js';
import type { Problem } from '../problem.js';
import type { TextKey } from '../texts/en.js';
import { problemTexts, type ProblemTexts } from './problem-texts.js';

/** Whether the page is on the developer's own machine, where the problem's message is shown too. */
const isDevelopment = (host: string): boolean =>
  /^(localhost|.*\.localhost|127\.0\.0\.1|\[::1\])$/.test(host);

/** The fields that an attribute sets, as the relay names them: `product_name`. */
const FIELDS = SUBJECT_PROPERTIES.filter((name) => /[A-Z]/.test(name)).map((name) =>
  name.replace(/[A-Z]/g, (capital) => `_${capital.toLowerCase()}`),
);

/** Names the attributes as the developer writes them: `product-name`. */
const inMarkup = (message: string): string =>
  message.replace(new RegExp(`\\b(${FIELDS.join('|')})\\b`, 'g'), (field) =>
    field.replaceAll('_', '-'),
  );

export function problemScreen(view: ViewContext, problem: Problem, offer: Offer | null): Screen {
  const texts = problemTexts(problem, isPayLinkPage(view.relay));
  const { t } = view;
  const helpUrl = problem.support_url ?? offer?.support_url ?? view.supportUrl;
  const help = supportLink(view, helpUrl, 'primary');
  const { action, sentence } = helpfulAction(view, texts, problem, offer, help);
  const developerMessage = isDevelopment(location.hostname)
    ? html`<p class="fine" dir="ltr"><code>${inMarkup(problem.message)}</code></p>`
    : null;
  return {
    title: t(texts.title),
    sign: texts.sign ?? 'care',
    hint: problem.notice ? view.label(problem.notice) : t(sentence),
    look: 'problem',
    content: [
      texts.mayBePaid ? html`<p class="hint">${t('paid_contact')}</p>` : null,
      contact(view, action, offer),
      developerMessage,
    ],
    primary: action,
    secondary: action === help ? [] : [supportLink(view, helpUrl, 'quiet')],
    footer: problem.reference && named(t('reference'), problem.reference),
  };
}

type HelpfulAction = { readonly action: MaybeAction; readonly sentence: TextKey };

/** Chooses an action for which the addresses are known, and a sentence that names this action. */
function helpfulAction(
  view: ViewContext,
  { sentence, way }: ProblemTexts,
  { code }: Problem,
  offer: Offer | null,
  help: MaybeAction,
): HelpfulAction {
  const { actions, t } = view;
  const shop = returnLink(offer?.return_url ?? ownReturnUrl(view), t('return'), 'primary');
  const reload = button('reload', t('reload'), () => location.reload(), 'primary');
  switch (way) {
    case 'restart':
      return { action: button('retry', t(way), () => actions.restart(), 'primary'), sentence };
    case 'anew':
      if (shop) return { action: shop, sentence };
      return help
        ? { action: help, sentence: 'problem_ask' }
        : { action: reload, sentence: 'problem_reload' };
    case 'bounds':
      return (offer?.options.length ?? 0) > 1
        ? { action: button('retry', t('change'), () => actions.retry(), 'primary'), sentence }
        : { action: shop ?? help, sentence };
    case 'shop':
      return { action: shop ?? help, sentence };
    case 'support':
      // The page would set the same wrong attributes again.
      if (code === 'attributes_wrong') return { action: help ?? shop, sentence };
      return help || shop
        ? { action: help ?? shop, sentence }
        : { action: reload, sentence: 'problem_reload' };
    case 'reload':
      return { action: reload, sentence };
    default:
      return { action: button('retry', t(way), () => actions.retry(), 'primary'), sentence };
  }
}
