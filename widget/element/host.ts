/** What a session needs of its element, and what it gives back. */
import type { Customer } from '../../relay/contract/requests.js';
import type { State } from '../checkout/flow.js';
import type { Attributes } from '../checkout/read-subject.js';
import type { ViewContext } from '../fragments/view-context.js';
import type { OpenIn } from '../browser/opener.js';
import type { Fetch } from '../relay-client.js';
import type { Texts } from '../texts/texts.js';
import type { Words } from '../texts/language.js';

/** The element, as far as its session reads and writes it. */
export type Host = HTMLElement &
  Attributes & {
    relay: string | null;
    option: string | null;
    display: string;
    openIn: OpenIn;
    tagGate: boolean;
    locale: string | null;
    fetch: Fetch | undefined;
    customer: Customer;
    phase: State['phase'];
    outcome: string | null;
    readonly hasUpdated: boolean;
    readonly updateComplete: Promise<boolean>;
    requestUpdate(): void;
  };

export type Session = {
  readonly words: Words;
  connect(): void;
  disconnect(): void;
  /** Asks for the texts of the page's language. */
  loadLocale(): void;
  /** Again when the attributes say something else. */
  begin(): void;
  begun(): boolean;
  restart(): void;
  checkNow(): Promise<void>;
  markReceived(): void;
  flow(): State;
  view(): ViewContext;
  /** The words of the language, and the partner's. */
  texts(): Texts;
  /** What the status line says besides the phase, and what is only spoken. */
  announcement(): string;
  spoken(): string;
};
