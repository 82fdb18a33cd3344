/** What a page of the console is: what it asks the relay for, and what it shows of the answer. */
import type { nothing, TemplateResult } from 'lit';
import type { Api, Session, VerbName, Answers } from './api.js';
import type { Route } from './route.js';

export type Shown = {
  readonly route: Route;
  readonly session: Session;
  /** Milliseconds; the time of the last answer. */
  readonly now: number;
  /** Goes to another page, or to the same one with other filters. */
  readonly go: (hash: string) => void;
  /**
   * Runs a verb, says what it did, and loads the page again.
   *
   * @param input what the verb takes, or how to make it
   * @param question asked first; the verb does not run without a yes
   */
  readonly act: <K extends VerbName>(
    verb: K,
    input: object | ((api: Api) => Promise<object>),
    options: { done: (answer: Answers[K]) => string | Promise<string>; question?: string },
  ) => void;
  /** Does something that changes nothing; what was refused is shown. */
  readonly run: (work: (api: Api) => Promise<void>) => void;
  /** Adds the next rows to the list that is shown. */
  readonly more: () => void;
};

/** A list with what `more` adds from its cursor on; at its end the same list. */
export const following = async <T extends { readonly cursor: string | null }>(
  data: T,
  more: (cursor: string) => Promise<T>,
): Promise<T> => (data.cursor === null ? data : more(data.cursor));

export type Page<T = unknown> = {
  readonly title: string;
  load(api: Api, route: Route): Promise<T>;
  view(data: T, shown: Shown): TemplateResult;
  /** Filters above the view; they stay while the list is loaded, and when it is refused. */
  form?(shown: Shown): TemplateResult | typeof nothing;
  /** Milliseconds after which the page asks again; absent: only when the person asks. */
  readonly everyMs?: number;
  /** Adds what follows the data, if anything does; absent where the page has no list. */
  next?(api: Api, route: Route, data: T): Promise<T>;
};
