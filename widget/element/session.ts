/** What lives behind the element while it is on the page: its checkout, words, and clock. */
import type { Resume } from '../../relay/contract/requests.js';
import { eventsOf } from '../announce-change.js';
import { askedCustomer } from '../checkout/asked-customer.js';
import { createCheckout, type Checkout } from '../checkout/checkout.js';
import type { Offer, State } from '../checkout/flow.js';
import { hasSubject, readSubject } from '../checkout/read-subject.js';
import { clock } from '../fragments/countdown.js';
import type { PageState, ViewContext } from '../fragments/view-context.js';
import { createAttempts } from '../browser/attempts.js';
import { rememberedChoice } from '../browser/choice.js';
import { environment, openTarget, type OpenTarget } from '../browser/opener.js';
import { dropResume, isLinkPage, readResume } from '../browser/resume.js';
import { browserPage } from '../browser/visibility.js';
import type { ProblemCode } from '../problem.js';
import { createRelayClient } from '../relay-client.js';
import { labelIn } from '../texts/label.js';
import { formatMoney } from '../texts/money.js';
import type { Texts } from '../texts/texts.js';
import { createActions, initialPageState } from './actions.js';
import { createDeadline } from './deadline.js';
import { qrRoom } from './qr-room.js';
import type { Host, Session } from './host.js';
import { relayOf } from './relay-of.js';
import { createWords, languageAround } from '../texts/language.js';

/** Phases after which a link has shown what became of its order. */
const ENDS: ReadonlySet<string> = new Set(['succeeded', 'failed', 'expired', 'review']);

export function createSession(host: Host): Session {
  let checkout: Checkout | null = null;
  let flow: State = { phase: 'loading' };
  let page: Omit<PageState, 'customer'> = { ...initialPageState, offline: false };
  let announcement = '';
  let spoken = '';
  let begun = false;
  let begunWith = '';
  let relay = '';
  /** The order that the page's address named, also once it does not name it any more. */
  let link: Resume | null = null;
  let isEarlier = (): boolean => false;
  let stopListening = (): void => {};
  /**
   * Read when the element comes to the page, and when a choice begins: not at each second of the
   * countdown.
   */
  let around = environment();
  let remembered: string | null = null;
  const update = (): void => host.requestUpdate();
  const change = (changes: Partial<PageState>): void => {
    page = { ...page, ...changes };
    update();
  };
  const words = createWords(update);
  const deadline = createDeadline({
    tick: update,
    announce: (seconds) => (spoken = texts()('time_left', { time: clock(seconds) })),
    over: () => void checkNow().then(() => (spoken = texts()('time_over'))),
  });
  const way = (): OpenTarget => (page.blocked ? 'new-tab' : openTarget(host.openIn, around));

  const onState = (now: State, before: State | null): void => {
    const order = 'order' in now ? now.order : null;
    const earlier = before && 'order' in before ? before.order : null;
    flow = now;
    announcement = spoken = '';
    if (order && order.request_id !== earlier?.request_id) {
      // a token names whose order it is; a page's purchase is the same for whoever sits here next
      const found = before?.phase === 'loading' && !host.orderToken && isEarlier();
      change({ opened: false, blocked: false, found });
    }
    host.phase = now.phase;
    host.outcome = order?.outcome ?? null;
    if (link && ENDS.has(now.phase)) dropResume(relay);
    deadline.watch(order?.outcome === 'succeeded' ? null : order);
    update();
    // after the view: a listener sees the page as the customer does
    void host.updateComplete.then(() => {
      for (const event of eventsOf(now, before)) host.dispatchEvent(event);
    });
  };

  const refuse = (code: ProblemCode, field: string, text: string): void => {
    const message = `${field}: ${text}`;
    console.error(`<pay-checkout> ${message}`);
    onState({ phase: 'problem', problem: { code, message, field }, offer: null }, flow);
  };

  /** The page's own purchase stands above any link: a stranger's would show a stranger's order. */
  const readLink = (): void => {
    const named = readResume(relay);
    const own = hasSubject(host);
    if (own && named) dropResume(relay);
    link = own ? null : (named ?? link);
  };

  /**
   * @param back the element came back to the page: the payment that it showed stays, though its
   * attempt has ended
   */
  const begin = (back = false): void => {
    begun = true;
    remembered = rememberedChoice.read();
    checkout?.stop();
    checkout = null;
    relay = relayOf(host) ?? '';
    if (relay === '') return refuse('attributes_wrong', 'relay', 'is required');
    readLink();
    const read = link ? { subject: { resume: link } } : readSubject(host);
    if ('wrong' in read) {
      const code = isLinkPage(relay) ? 'order_unknown' : 'attributes_wrong';
      return refuse(code, read.wrong.attribute, read.wrong.message);
    }
    const name = `${relay} ${JSON.stringify(read.subject)}`;
    if (back && name === begunWith && flow.phase === 'succeeded') return;
    begunWith = name;
    const attempts = createAttempts(name);
    isEarlier = () => attempts.isEarlier();
    checkout = createCheckout({
      client: createRelayClient(relay, host.fetch),
      subject: read.subject,
      attempts,
      page: browserPage,
      onState: onState,
    });
    checkout.start();
  };

  const beginAnew = (): void => {
    const ordered = 'order' in flow && flow.order !== null && flow.phase !== 'succeeded';
    const earlier = ordered && !link;
    page = { ...initialPageState, offline: page.offline, earlier };
    begin();
  };

  /** The same attempt, or the same link, brings its order back. */
  const retry = (): void => (checkout ? checkout.retry() : begin());

  const restart = (): void => {
    remembered = rememberedChoice.read();
    page = { ...initialPageState, offline: page.offline };
    if (checkout && !link) return checkout.restart();
    dropResume(relay);
    link = null;
    begin();
  };

  /** Emptied first: what is said twice is spoken twice. */
  const announce = (text: string): void => {
    announcement = '';
    update();
    void host.updateComplete.then(() => {
      announcement = text;
      update();
    });
  };

  const checkNow = async (): Promise<void> => {
    if (page.checking) return;
    change({ checking: true });
    const heard = await checkout?.checkNow();
    change({ checking: false });
    if (heard === false) announce(texts()('problem_relay_unreachable'));
  };

  /** Online or offline, shown or hidden, or back from the bank. */
  const onPageChange = (): void => {
    if (page.offline === navigator.onLine) announce(navigator.onLine ? '' : texts()('offline'));
    change({ offline: !navigator.onLine });
    if (
      flow.phase === 'problem' &&
      flow.problem.code === 'relay_unreachable' &&
      navigator.onLine &&
      !browserPage.hidden()
    )
      retry();
  };

  const actions = createActions({
    change: ({ customer, ...changes }) => {
      if (customer) host.customer = customer;
      change(changes);
    },
    checkNow: () => void checkNow(),
    checkout: () => checkout,
    dispatch: (event) => host.dispatchEvent(event),
    page: () => page,
    restart,
    retry,
    customer: (option) => askedCustomer(flow, option, host.customer),
    announce: announce,
    t: () => texts(),
    way,
  });

  const offer = (): Offer | null => ('offer' in flow ? flow.offer : null);
  const texts = (): Texts => words.texts(offer()?.texts);

  const view = (): ViewContext => {
    const locale = words.tag();
    const { link_schemes = [], options = [] } = offer() ?? {};
    return {
      ...page,
      selected: page.selected ?? host.option ?? remembered,
      customer: host.customer,
      t: texts(),
      locale,
      money: (amount, currency) => formatMoney(amount, currency, locale),
      label: (label) => labelIn(label, locale),
      room: qrRoom(host),
      relay,
      linkSchemes: link_schemes,
      now: deadline.now(),
      way: way(),
      canChoose: options.length > 0,
      tagGate: host.tagGate,
      actions,
    };
  };

  return {
    words,
    connect: () => {
      if (checkout) return;
      stopListening = browserPage.onPageChange(onPageChange);
      page = { ...page, offline: !navigator.onLine };
      around = environment();
      if (begun) begin(true);
    },
    disconnect: () => {
      stopListening();
      deadline.watch(null);
      checkout?.stop();
      checkout = null;
    },
    loadLocale: () => words.load(relayOf(host), host.locale ?? languageAround(host), host.fetch),
    begin: () => (begun ? beginAnew() : begin()),
    begun: () => begun,
    restart,
    checkNow,
    markReceived: () => checkout?.markReceived(),
    flow: () => flow,
    view,
    texts,
    announcement: () => announcement,
    spoken: () => spoken,
  };
}
