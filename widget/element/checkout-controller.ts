/** Connects the element with its checkout: starts and stops it, and holds what a view shows. */
import type { PropertyValues, ReactiveController } from 'lit';
import { walletsPath } from '../../relay/contract/paths.js';
import { readWallets } from '../../relay/contract/read.js';
import type { Order } from '../../relay/contract/order.js';
import type { Customer } from '../../relay/contract/requests.js';
import type { Wallet } from '../../relay/contract/responses.js';
import { createAttempts, purchaseName } from '../browser/attempts.js';
import { facilitatedPayment } from '../browser/facilitated-payment.js';
import { openedLink, rememberedChoice, rememberedWallet } from '../browser/storage.js';
import { environment, type OpenTarget } from '../browser/opener.js';
import { dropResume } from '../browser/resume.js';
import { browserPage } from '../browser/page.js';
import { createCheckout } from '../checkout/checkout.js';
import {
  askedCustomer,
  isEnded,
  isPaid,
  MAX_UNSET_MS,
  lastOrderOf,
  orderOf,
  wrongOf,
  type State,
} from '../checkout/flow.js';
import { clock } from '../fragments/countdown.js';
import { unseen } from '../fragments/notice.js';
import { mayBePaid } from '../fragments/order-facts.js';
import type { ViewContext } from '../fragments/view-context.js';
import { loadFile } from '../load-file.js';
import type { Problem } from '../problem.js';
import type { Texts } from '../texts/texts.js';
import { timing } from '../timing.js';
import { shopOf, type CardContent } from '../views/card.js';
import { screenOf } from '../views/index.js';
import { createActions } from './actions.js';
import {
  customerOf,
  initialPage,
  initialState,
  linkTarget,
  viewContext,
  type ControllerState,
} from './controller-state.js';
import { createDeadline } from './deadline.js';
import { createOpeningWatch } from './opening-watch.js';
import { linkOnScreen, paymentPageOf } from './payment-page.js';
import { isLinkDone, readPurchase } from './purchase.js';
import { createClient, dropOutdated } from './first-answer.js';
import { createHostLanguage } from './host-language.js';
import { relayOf, RESTART_PROPERTIES, type Host } from './host.js';
import { eventsOf } from './state-events.js';
import { PayProblemEvent } from '../events.js';

/** A changed purchase is asked for when its attributes have not changed for this time. */
const QUIET_MS = 150;

/** A screen reader notices that a text was cleared within this time. */
const CLEARED_MS = 100;

/** A page that has named no purchase for so long has a mistake. */
const LONG_WAIT_MS = 10_000;

/** What is said of the page only where its texts are there. */
const NOTHING_SAID = { blind: false, offline: false, popupBlocked: false };

export class CheckoutController implements ReactiveController {
  state = initialState();
  private readonly language = createHostLanguage(this.host);
  private readonly deadline = createDeadline({
    onTick: () => this.host.requestUpdate(),
    onSpokenTime: (seconds) => this.speak(this.texts()('time_left', { time: clock(seconds) })),
    onExpired: () => void this.checkNow(),
  });
  private readonly actions = createActions(this);
  private stopListening = (): void => {};
  private cancelStart = (): void => {};
  private cancelSpeech = (): void => {};
  /** Whether the page was told that the texts are missing. */
  private isMissingTold = false;
  /** What the last events told; null before the first one. */
  private shown: State | null = null;
  /** Other ways are offered when nothing opened; it opens nothing by itself. */
  readonly opening = createOpeningWatch((nothingOpened) => {
    if (nothingOpened === this.state.page.nothingOpened) return;
    this.changePage({ nothingOpened });
    const hint = screenOf(this.view(), this.state.flow)?.hint;
    if (nothingOpened && typeof hint === 'string') this.speak(hint);
  });
  private readonly nameLink = facilitatedPayment();

  constructor(private readonly host: Host) {
    host.addController(this);
  }

  hostConnected(): void {
    this.stopListening();
    const stops = [browserPage.onPageChange(() => this.onPageChange()), this.language.listen()];
    this.stopListening = () => stops.forEach((stop) => stop());
    // An element that was moved within the page still has its checkout.
    if (this.state.checkout) return this.language.follow();
    this.change({ environment: environment() });
    this.changePage({ offline: !navigator.onLine });
    if (this.state.started) this.start(this.state.subjectKey !== '');
  }

  hostDisconnected(): void {
    // An element that is moved within the page is connected again before the microtask runs.
    queueMicrotask(() => this.host.isConnected || this.stop());
  }

  /** Loads the texts, and starts the checkout again when its attributes have changed. */
  hostWillUpdate(changed: PropertyValues): void {
    const { host, state } = this;
    if (changed.has('locale')) this.language.follow();
    if (!host.isConnected) return;
    if (!state.started) this.start();
    // A page may remove an attribute and write it again, or set a number where a text is kept.
    else if (RESTART_PROPERTIES.some((key) => changed.has(key) && changed.get(key) !== host[key]))
      this.start(true);
    dropOutdated(host, this.state.flow);
  }

  hostUpdated(): void {
    const { checkout, flow } = this.state;
    const isClosed = this.host.renderRoot.querySelector('.modal:not([open])');
    const problem = this.language.problem(flow);
    const isShown = checkout && !isClosed && !problem;
    this.nameLink(isShown ? linkOnScreen(flow, this.deadline.now()) : null);
    if (problem && !this.isMissingTold) {
      console.error(`<pay-checkout> ${problem.message}`);
      this.host.dispatchEvent(new PayProblemEvent(problem));
    }
    this.isMissingTold = problem !== null;
  }

  /** For an element that shows a sentence only, without a checkout. */
  loadedTexts(): Texts {
    this.language.follow();
    return this.texts();
  }

  texts(): Texts {
    return this.language.texts(shopOf(this.state.flow)?.texts);
  }

  /** The problem that is shown; null when there is none. */
  problem(): Problem | null {
    const { flow } = this.state;
    return this.language.problem(flow) ?? (flow.phase === 'problem' ? flow.problem : null);
  }

  content(): CardContent {
    const { language } = this;
    const { flow, spoken } = this.state;
    const problem = language.problem(flow);
    return {
      flow: problem ? { phase: 'problem', problem, offer: null } : flow,
      spoken,
      ready: language.ready(),
      locale: language.locale(),
      direction: language.direction(),
    };
  }

  view(): ViewContext {
    const { actions, deadline, host, state, language } = this;
    const rest = { actions, t: this.texts(), locale: language.tag(), now: deadline.now() };
    const shown = viewContext(host, state, rest, language.locales());
    return language.isMissing() ? { ...shown, ...NOTHING_SAID } : shown;
  }

  openTarget = (): OpenTarget => linkTarget(this.host, this.state);

  customerFor = (option: string): Customer | undefined =>
    askedCustomer(this.state.flow, option, customerOf(this.host, this.state));

  dispatch = (event: Event): boolean => this.host.dispatchEvent(event);

  changePage(changes: Partial<ControllerState['page']>): void {
    this.change({ page: { ...this.state.page, ...changes } });
  }

  /** The wallet that the customer chose last comes first. */
  async loadWallets(option: string): Promise<void> {
    const url = this.state.relay + walletsPath(option);
    this.changePage({ search: '', wallets: undefined });
    const wallets = await loadFile(url, readWallets, this.host.fetch);
    const last = rememberedWallet.read();
    const rank = ({ name }: Wallet): number => (name === last ? 0 : 1);
    wallets?.sort((one, other) => rank(one) - rank(other));
    if (this.state.order?.option === option) this.changePage({ wallets });
  }

  async checkNow(): Promise<void> {
    if (this.state.page.checking) return;
    this.changePage({ checking: true });
    await this.state.checkout?.checkNow();
    this.changePage({ checking: false });
  }

  /** Shows that the page cannot learn whether the order is paid. */
  private setBlind(blind: boolean): void {
    if (blind === this.state.page.blind) return;
    this.changePage({ blind });
    this.speak(blind ? this.texts()('blind') : '');
  }

  /** Loads again; the same attempt or the same link restores its order. */
  retry(): void {
    this.language.follow(true);
    if (this.state.checkout) this.state.checkout.retry();
    else this.start();
  }

  /** Discards the attempt or the link, and starts a new attempt. */
  restart(): void {
    const { checkout, link, order, page, relay } = this.state;
    // An order of an earlier visit may be another person's: the customer does not expect to pay it.
    const own = page.fromEarlierVisit ? null : order;
    this.change({
      rememberedOption: rememberedChoice.read(),
      page: initialPage(page.offline, this.mayBePaid(own)),
      order: null,
    });
    if (checkout && !link) return checkout.restart();
    dropResume(relay);
    this.change({ link: null });
    this.start();
  }

  private change(changes: Partial<ControllerState>): void {
    this.state = { ...this.state, ...changes };
    this.host.requestUpdate();
  }

  /** The text is cleared first: a screen reader does not repeat a text that stays the same. */
  speak = (spoken: string): void => {
    if (!this.language.ready() || this.language.isMissing()) return;
    this.cancelSpeech();
    this.change({ spoken: '' });
    this.cancelSpeech = timing.after(CLEARED_MS, () => this.change({ spoken }));
  };

  /** Whether an order of this purchase, or of one before it, may still be paid. */
  private mayBePaid(order: Order | null): boolean {
    const { flow, link, page } = this.state;
    if (flow.phase === 'succeeded' || link) return false;
    // These failures of a pay leave open whether its order was placed. In a conflict, the order
    // whose content differs is one that this page does not show.
    const isSent =
      flow.phase === 'submitting' ||
      (flow.phase === 'problem' &&
        (flow.problem.code === 'intent_conflict' ||
          (flow.offer !== null && /^(relay|contract|ledger|internal)/.test(flow.problem.code))));
    return isSent || (order !== null && mayBePaid(order)) || page.earlierPurchase;
  }

  private startAnotherPurchase(): void {
    const { order, page } = this.state;
    const { customer, offline, selected } = page;
    this.change({ page: { ...initialPage(offline, this.mayBePaid(order)), customer, selected } });
    // The former purchase must not be paid any more. A slider changes it many times in a row.
    this.stopCheckout({ order: null });
    this.host.renderRoot.querySelector('[data-payable]')?.remove();
    this.show({ phase: 'loading' });
    this.cancelStart = timing.after(QUIET_MS, () => this.start());
  }

  /** @param again what is paid stays on screen until the page names another purchase, or none */
  private start(again = false): void {
    const relay = relayOf(this.host) ?? '';
    // asks for the texts once more when they did not load
    this.language.follow();
    this.stopCheckout({ started: true, relay, rememberedOption: rememberedChoice.read() });
    const purchase = readPurchase(this.host, relay, this.state.link);
    const name = 'subject' in purchase ? purchaseName(purchase.subject) : '';
    const subjectKey = `${relay} ${name}`;
    const { flow, subjectKey: previousKey } = this.state;
    const isOther = subjectKey !== previousKey;
    // A page that fetches its cart again unsets the purchase; it must not be offered once more.
    if (again && isPaid(flow) && (!isOther || flow.phase === 'succeeded')) {
      const afterMs = 'subject' in purchase && purchase.subject ? QUIET_MS : MAX_UNSET_MS;
      if (isOther) this.cancelStart = timing.after(afterMs, () => this.startAnotherPurchase());
      return;
    }
    if (again && isOther) return this.startAnotherPurchase();
    this.change({ link: purchase.link });
    if ('problem' in purchase) return this.refuse(purchase.problem);
    if (!purchase.subject) {
      this.cancelStart = timing.after(LONG_WAIT_MS, () =>
        console.warn('<pay-checkout> waits for order-token, sku, amount or deposit'),
      );
      return this.show({ phase: 'waiting' });
    }
    const attempts = createAttempts(name);
    const checkout = createCheckout({
      client: createClient(this.host, { attempts, isFirst: !previousKey, relay }),
      subject: purchase.subject,
      attempts,
      page: browserPage,
      onState: (state) => this.show(state),
      onBlind: (blind) => this.setBlind(blind),
    });
    this.change({ attempts, checkout, subjectKey });
    checkout.start();
  }

  private stop(): void {
    this.stopListening();
    this.stopCheckout();
  }

  private stopCheckout(changes: Partial<ControllerState> = {}): void {
    this.opening.stop();
    this.cancelSpeech();
    this.cancelStart();
    this.deadline.watch(null);
    this.state.checkout?.stop();
    this.change({ ...changes, checkout: null });
  }

  private refuse(problem: Problem): void {
    console.error(`<pay-checkout> ${problem.message}`);
    this.show({ phase: 'problem', problem, offer: null });
  }

  private show(flow: State): void {
    const { host, shown: previous } = this;
    this.shown = flow;
    const { attempts, link, page, relay } = this.state;
    const order = orderOf(flow);
    if (flow.phase === 'choosing' && flow.offer.options.length === 0) {
      const { amount, currency } = flow.offer;
      const what = `${amount} ${currency}`;
      console.warn(`<pay-checkout> no option takes ${what}; the log of the relay says why`);
    }
    const paymentPage = page.paying ? paymentPageOf(flow, this.openTarget()) : null;
    // While the relay is asked for another order, or shows a problem, this one stays the last.
    const last = lastOrderOf(flow) ?? (flow.phase === 'choosing' ? null : this.state.order);
    this.cancelSpeech();
    this.change({ flow, order: last, spoken: '' });
    const before = previous && orderOf(previous);
    // A warning against a second payment that comes to a shown order would only be seen.
    if (!isPaid(flow) && order?.other_payable && before?.other_payable === false)
      this.speak(this.texts()('other_payable'));
    if (order && order.request_id !== before?.request_id) {
      // A link or an order token names one customer; else an earlier visitor may own the order.
      const maybeForeign = previous?.phase === 'loading' && !link && !host.orderToken;
      const linkOpened = openedLink(order.request_id).read();
      const fromEarlierVisit = maybeForeign && !linkOpened && attempts?.isEarlier() === true;
      this.opening.stop();
      this.changePage({
        linkOpened,
        nothingOpened: false,
        popupBlocked: false,
        fromEarlierVisit,
      });
    }
    this.changePage({
      // A search of one screen, such as that of the wallets, must hide nothing on the next one.
      search: flow.phase === previous?.phase ? page.search : '',
      paying: page.paying && flow.phase === 'submitting',
      leaving: paymentPage !== null,
    });
    if (link && isLinkDone(flow.phase)) dropResume(relay);
    this.deadline.watch(isEnded(flow.phase) ? null : order, lastOrderOf(flow));
    const wrong = wrongOf(flow);
    // Events follow the render, so that a listener reads the page as the customer sees it.
    void host.updateComplete.then(() => {
      for (const event of eventsOf(flow, previous)) host.dispatchEvent(event);
      // A later answer about the earlier order leaves the customer at the field that is typed into.
      if (wrong && wrong !== wrongOf(previous)) this.showWrong();
      if (paymentPage) this.actions.leaveFor(paymentPage);
    });
  }

  /** The focus reads the field with what is wrong, unless the field has it already. */
  private showWrong(): void {
    const field = this.host.renderRoot.querySelector<HTMLElement>('[aria-invalid]');
    if (field?.matches(':focus')) this.speak(field.nextElementSibling?.textContent ?? '');
    field?.focus();
  }

  /** The page went online or offline, was shown or hidden, or was restored from the cache. */
  private onPageChange(): void {
    const { flow, page } = this.state;
    const online = navigator.onLine;
    const hidden = browserPage.hidden();
    const leaving = page.leaving && hidden;
    // A customer who came back from the payment page sees the order again, and may have paid it.
    const linkOpened = page.linkOpened || page.leaving !== leaving;
    this.changePage({ offline: !online, leaving, linkOpened });
    this.opening.pageChanged(hidden);
    const view = this.view();
    if (page.offline === online)
      this.speak((!online && unseen(view, screenOf(view, flow)?.settled)) || '');
    const unreachable = flow.phase === 'problem' && flow.problem.code === 'relay_unreachable';
    if (unreachable && online && !hidden) this.retry();
  }
}
