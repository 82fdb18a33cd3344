/** `<pay-console>`: the session, the navigation, and the page that the address names. */
import { html, LitElement, nothing, type PropertyDeclarations, type TemplateResult } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import { tokenStyles } from '../styles/tokens.js';
import { createApi, Refused, type Api, type Session } from './api.js';
import type { Page, Shown } from './page.js';
import { factStyles } from './fact-styles.js';
import { access } from './pages/access.js';
import { configuration } from './pages/configuration.js';
import { event, events } from './pages/events.js';
import { links } from './pages/links.js';
import { options } from './pages/options.js';
import { order } from './pages/order.js';
import { orders } from './pages/orders.js';
import { today } from './pages/today.js';
import { todo } from './pages/todo.js';
import { field, onSubmit } from './parts.js';
import { mayHavePasskeys, signWithPasskey } from './passkey.js';
import { hashOf, readRoute, type Route } from './route.js';
import { consoleStyles } from './styles.js';

const PAGES: Readonly<Record<string, Page>> = {
  today,
  todo,
  orders,
  options,
  links,
  events,
  configuration,
  access,
};
/** The pages of one thing, by the page of all. */
const OF_ONE: Readonly<Record<string, Page>> = { orders: order, events: event };

/** A control that gets the focus must not stay under the messages. */
function fromBelowMessages({ currentTarget, target }: FocusEvent): void {
  if (!(target instanceof Element) || !(currentTarget instanceof Element)) return;
  const messages = currentTarget.querySelector('.messages');
  if (!messages || messages.contains(target)) return;
  const { bottom, height } = messages.getBoundingClientRect();
  if (height > 0 && target.getBoundingClientRect().top < bottom)
    target.scrollIntoView({ block: 'center' });
}

const pageOf = ({ id, page }: Route): Page | undefined => (id === '' ? PAGES : OF_ONE)[page];

/** Puts before a message what it is about, when the person has gone to another page meanwhile. */
function aboutRoute(): (message: string) => string {
  const { hash } = location;
  const route = readRoute(hash);
  const name = route.id === '' ? PAGES[route.page]?.title : route.id;
  return (message) => (location.hash === hash ? message : `${name}: ${message}`);
}

type Loaded = {
  readonly route: Route;
  readonly data: unknown;
  readonly now: number;
  /** How often the person has asked for more of the list. */
  readonly added: number;
};

export class PayConsole extends LitElement {
  static override readonly styles = [tokenStyles, factStyles, consoleStyles];
  static override readonly properties: PropertyDeclarations = {
    session: { state: true },
    loaded: { state: true },
    refused: { state: true },
    unread: { state: true },
    done: { state: true },
    busy: { state: true },
  };

  /** Undefined until the relay has said whether somebody is signed in. */
  declare session: Session | null | undefined;
  declare loaded: Loaded | null;
  /** Why what the person asked for was not done. */
  declare refused: string;
  /** Why the page could not be loaded, or not be loaded again. */
  declare unread: string;
  declare done: string;
  /** How much is under way. */
  declare busy: number;
  readonly #api: Api = createApi();
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Only the answer to the last question is shown. */
  #turn = 0;

  constructor() {
    super();
    this.loaded = null;
    this.refused = '';
    this.unread = '';
    this.done = '';
    this.busy = 0;
  }

  override connectedCallback(): void {
    super.connectedCallback();
    addEventListener('hashchange', this.#onRoute);
    document.addEventListener('visibilitychange', this.#onVisible);
    void this.#begin();
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    removeEventListener('hashchange', this.#onRoute);
    document.removeEventListener('visibilitychange', this.#onVisible);
    clearTimeout(this.#timer);
  }

  readonly #onRoute = (): void => {
    // what stays under another address would be taken for what that address names
    this.loaded = null;
    this.refused = '';
    this.unread = '';
    this.done = '';
    void this.updateComplete.then(() => {
      this.#focusTitle();
      scrollTo(0, 0);
    });
    void this.#load().then(() => this.#keepFocus());
  };

  /** A screen reader reads the page from its title on, and Tab goes on from there. */
  readonly #focusTitle = (): void =>
    this.renderRoot.querySelector<HTMLElement>('h1')?.focus({ preventScroll: true });

  /** Keeps the focus on the page when what had it is gone, such as the button that was pressed. */
  async #keepFocus(): Promise<void> {
    await this.updateComplete;
    if (document.activeElement !== this) this.#focusTitle();
  }

  readonly #onVisible = (): void => {
    if (document.visibilityState === 'visible') void this.#load();
  };

  async #begin(): Promise<void> {
    await this.#try(async () => {
      this.session = await this.#api.session();
    });
    await this.#load();
  }

  async #load(): Promise<void> {
    clearTimeout(this.#timer);
    if (!this.session) return;
    const route = readRoute(location.hash);
    const page = pageOf(route);
    if (!page) return void location.replace(hashOf('today'));
    document.title = `${page.title} – pay-checkout console`;
    const turn = ++this.#turn;
    const work = async (): Promise<void> => {
      // a row that somebody has just acted on stays in sight
      const added = this.loaded?.added ?? 0;
      let data = await page.load(this.#api, route);
      for (let count = 0; count < added && page.next; count++)
        data = await page.next(this.#api, route, data);
      if (turn !== this.#turn) return;
      this.loaded = { route, data, now: Date.now(), added };
      this.unread = '';
    };
    await this.#try(work, (why) => {
      if (turn === this.#turn) this.unread = why;
    });
    if (turn !== this.#turn || page.everyMs === undefined) return;
    this.#timer = setTimeout(() => {
      if (document.visibilityState === 'visible') void this.#load();
    }, page.everyMs);
  }

  /** @param tell takes what the person reads when the work fails */
  async #try(
    work: () => Promise<void>,
    tell = (why: string): void => void (this.refused = why),
  ): Promise<void> {
    this.busy++;
    try {
      await work();
    } catch (error) {
      if (!(error instanceof Refused)) {
        tell('This page cannot read the answer of the relay. Load it again.');
        throw error;
      }
      tell(error.message);
      // a session ends after twelve hours, also that of a page which is still open
      if (error.status === 401 && this.session) this.#leave('Your session has ended.');
    } finally {
      this.busy--;
    }
  }

  /** The next person reads nothing of this session, also not what is under way. */
  #leave(why = ''): void {
    this.#turn++;
    this.session = null;
    this.loaded = null;
    this.done = '';
    this.unread = '';
    this.refused = why;
  }

  readonly #act: Shown['act'] = (verb, input, { done, question }) => {
    if (this.#isBusy() || (question !== undefined && !confirm(question))) return;
    this.refused = '';
    this.done = '';
    const about = aboutRoute();
    const { session } = this;
    const work = async (): Promise<void> => {
      const given = typeof input === 'function' ? await input(this.#api) : input;
      const said = await done(await this.#api.call(verb, given));
      if (session !== this.session) return;
      this.refused = '';
      this.done = about(said);
    };
    // what was refused has often changed meanwhile, such as an order that is paid by now
    void this.#try(work, (why) => void (this.refused = about(why)))
      .then(() => this.#load())
      .then(() => this.#keepFocus());
  };

  readonly #run: Shown['run'] = (work) => {
    if (this.#isBusy()) return;
    this.refused = '';
    const about = aboutRoute();
    void this.#try(
      () => work(this.#api),
      (why) => void (this.refused = about(why)),
    );
  };

  /** One thing at a time; a click that does nothing must say so. */
  #isBusy(): boolean {
    const isBusy = this.busy > 0;
    if (isBusy) this.refused = 'Not done: the console was still at work. Press it again.';
    return isBusy;
  }

  readonly #go = (hash: string): void => {
    if (location.hash === hash) void this.#load();
    else location.hash = hash;
  };

  readonly #more = (): void => {
    const { loaded } = this;
    const page = loaded && pageOf(loaded.route);
    if (!loaded || !page?.next || this.busy > 0) return;
    const turn = ++this.#turn;
    void this.#try(async () => {
      const data = await page.next?.(this.#api, loaded.route, loaded.data);
      if (turn === this.#turn) this.loaded = { ...loaded, data, added: loaded.added + 1 };
    });
  };

  readonly #signIn = (proof: () => Promise<Parameters<Api['signIn']>[0]>): void =>
    void this.#try(async () => {
      this.session = await this.#api.signIn(await proof());
      this.refused = '';
      void this.#keepFocus();
      await this.#load();
    }).then(() => this.#keepFocus());

  readonly #signOut = (): void =>
    void this.#try(async () => {
      await this.#api.signOut();
      this.#leave();
    }).then(() => this.#keepFocus());

  override render(): TemplateResult | typeof nothing {
    if (this.session === undefined && this.refused === '') return nothing;
    return this.session ? this.#renderPage(this.session) : this.#renderSignIn();
  }

  #renderSignIn(): TemplateResult {
    const byKey = ({ key = '' }): void => this.#signIn(async () => ({ key }));
    const byPasskey = (): void =>
      this.#signIn(async () => ({ passkey: await signWithPasskey(await this.#api.challenge()) }));
    return html`<main>
      <form class="sign-in" @submit=${onSubmit(byKey)}>
        <h1 tabindex="-1">pay-checkout console</h1>
        ${field('key', 'Operator key', { type: 'password', required: true })} ${this.#messages()}
        <button class="primary" ?disabled=${this.busy > 0}>Sign in</button>
        ${
          mayHavePasskeys()
            ? html`<button type="button" ?disabled=${this.busy > 0} @click=${byPasskey}>
                Use a passkey
              </button>`
            : nothing
        }
      </form>
    </main>`;
  }

  #renderPage(session: Session): TemplateResult {
    const { filters, page: current } = readRoute(location.hash);
    const find = ({ find: text = '' }): void => this.#go(hashOf('orders', '', { find: text }));
    return html`
      <header>
        <button class="skip" type="button" @click=${this.#focusTitle}>Skip to the page</button>
        <b>pay-checkout</b>
        <nav aria-label="Pages">
          ${Object.entries(PAGES).map(
            ([name, { title }]) =>
              html`<a href=${hashOf(name)} aria-current=${name === current ? 'page' : nothing}
                >${title}</a
              >`,
          )}
        </nav>
        <search>
          <form @submit=${onSubmit(find)}>
            <input
              name="find"
              type="search"
              aria-label="Find what the customer sent you"
              placeholder="Find an order"
              title="order number, reference, pay link, address …"
              .value=${filters.find ?? ''}
              autocomplete="off"
              spellcheck="false"
            />
          </form>
        </search>
        <span><bdi>${session.name}</bdi> <small>${session.role}</small></span>
        <button type="button" @click=${this.#signOut}>Sign out</button>
      </header>
      <main aria-busy=${this.busy > 0} @focusin=${fromBelowMessages}>
        ${this.#messages()} ${this.#renderCurrent(session)}
      </main>
    `;
  }

  #renderCurrent(session: Session): unknown {
    const { loaded } = this;
    const route = loaded?.route ?? readRoute(location.hash);
    const page = pageOf(route);
    if (!page) return nothing;
    const shown: Shown = {
      route,
      session,
      now: loaded?.now ?? Date.now(),
      act: this.#act,
      run: this.#run,
      more: this.#more,
      go: this.#go,
    };
    // another address gets a title that can take the focus, and fields without what was typed
    return keyed(
      location.hash,
      html`<h1 tabindex="-1">${page.title}</h1>
        ${page.form?.(shown)} ${loaded ? page.view(loaded.data, shown) : nothing}`,
    );
  }

  #messages(): TemplateResult {
    const isLoading = this.session && !this.loaded && this.unread === '';
    const isEmpty = this.done === '' && this.refused === '' && this.unread === '';
    // the keyboard scrolls a long text
    return html`<div
      class="messages"
      role="group"
      aria-label="Messages"
      tabindex=${isEmpty ? nothing : 0}
    >
      <div role="status">
        ${this.done === '' ? nothing : html`<p class="done">${this.done}</p>`}
        ${isLoading ? html`<p class="loading">Loading…</p>` : nothing}
      </div>
      <div role="alert">
        ${[...new Set([this.refused, this.unread])].map((why) =>
          why === '' ? nothing : html`<p class="refused">${why}</p>`,
        )}
      </div>
    </div>`;
  }
}
