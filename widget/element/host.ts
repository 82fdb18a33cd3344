/** What a session needs of its element. */
import type { Customer } from '../../relay/contract/requests.js';
import type { State } from '../checkout/flow.js';
import type { Attributes } from '../checkout/read-subject.js';
import type { OpenIn } from '../page/opener.js';
import type { Fetch } from '../relay-client.js';

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
