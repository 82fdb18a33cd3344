/** The screen of a problem: its title, one sentence, and an action that helps. */
import { html, nothing } from 'lit';
import type { Offer } from '../checkout/flow.js';
import { button, returnLink, supportLink } from '../fragments/actions.js';
import { reference } from '../fragments/order-facts.js';
import type { MaybeAction, Screen } from '../fragments/screen.js';
import type { ViewContext } from '../fragments/view-context.js';
import type { Problem } from '../problem.js';
import { problemTexts } from './problem-texts.js';

/** Whether the page is on the developer's own machine: there the problem's message is shown too. */
const isDevelopment = (host: string): boolean =>
  /^(localhost|.*\.localhost|127\.0\.0\.1|\[::1\])$/.test(host);

export function problemScreen(view: ViewContext, problem: Problem, offer: Offer | null): Screen {
  const { sentence, title, way } = problemTexts(problem);
  const { t } = view;
  const hint = isDevelopment(location.hostname)
    ? html`<p class="fine" dir="ltr"><code>${problem.message}</code></p>`
    : nothing;
  return {
    title: t(title),
    hint: t(sentence),
    look: 'problem',
    content: hint,
    primary: action(view, way, problem, offer),
    footer: reference(view, problem.reference),
  };
}

function action(
  view: ViewContext,
  way: ReturnType<typeof problemTexts>['way'],
  { support_url }: Problem,
  offer: Offer | null,
): MaybeAction {
  const { actions, t } = view;
  const help = supportLink(view, support_url ?? offer?.support_url, 'primary');
  const shop = returnLink(offer?.return_url, t('return'), 'primary');
  const reload = button('reload', t('reload'), () => location.reload(), 'primary');
  switch (way) {
    case 'restart':
      return button('retry', t('restart'), () => actions.restart(), 'primary');
    case 'shop':
      return shop ?? help ?? reload;
    case 'support':
      return help ?? shop ?? reload;
    case 'reload':
      return reload;
    default:
      return button('retry', t(way), () => actions.retry(), 'primary');
  }
}
