/** Calls of the relay's console: the session, and the verbs. */
import type {
  accessShape,
  checkShape,
  closedShape,
  configurationShape,
  erasedShape,
  eventShape,
  eventsShape,
  foundShape,
  linksShape,
  listShape,
  optionsShape,
  resentShape,
  resolveShape,
  revokedShape,
  shownShape,
  todayShape,
  todoShape,
} from '../../relay/operator/shapes.js';
import type { ConsoleState } from '../../relay/gauges.js';
import type { z } from 'zod';

export type Session = { readonly name: string; readonly role: 'read' | 'act' };

/** The answer of each verb. The relay checks what it takes. */
export type Answers = {
  state: ConsoleState;
  today: z.infer<typeof todayShape>;
  todo: z.infer<typeof todoShape>;
  configuration: z.infer<typeof configurationShape>;
  'orders/find': z.infer<typeof foundShape>;
  'orders/list': z.infer<typeof listShape>;
  'orders/show': z.infer<typeof shownShape>;
  'orders/check': z.infer<typeof checkShape>;
  'orders/link': { url: string };
  'orders/resolve': z.infer<typeof resolveShape>;
  'events/list': z.infer<typeof eventsShape>;
  'events/show': z.infer<typeof eventShape>;
  'events/resend': z.infer<typeof resentShape>;
  'intents/close': z.infer<typeof closedShape>;
  'options/list': z.infer<typeof optionsShape>;
  'options/off': z.infer<typeof optionsShape>;
  'options/on': z.infer<typeof optionsShape>;
  'links/list': z.infer<typeof linksShape>;
  'links/revoke': z.infer<typeof revokedShape>;
  'customers/erase': z.infer<typeof erasedShape>;
  'access/list': z.infer<typeof accessShape>;
  'access/challenge': PublicKeyCredentialCreationOptionsJSON;
  'access/add': z.infer<typeof accessShape>;
  'access/remove': z.infer<typeof accessShape>;
  'access/keys': z.infer<typeof accessShape>;
};
export type VerbName = keyof Answers;

/** The relay refused: `message` is a sentence for the person. */
export class Refused extends Error {
  override readonly name = 'Refused';
  readonly status: number;
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

export type Api = {
  /** @returns null when nobody is signed in */
  session(): Promise<Session | null>;
  /** What the browser's passkey has to sign. */
  challenge(): Promise<PublicKeyCredentialRequestOptionsJSON>;
  /** @param proof the key, or what the passkey signed */
  signIn(proof: { key: string } | { passkey: object }): Promise<Session>;
  signOut(): Promise<void>;
  /** @throws Refused */
  call<K extends VerbName>(verb: K, input?: object): Promise<Answers[K]>;
};

/** Addresses are relative to the page, which may be below a path of a proxy. */
export function createApi(fetch: typeof globalThis.fetch): Api {
  const ask = async (path: string, method: string, body?: object): Promise<Response> => {
    const response = await fetch(`console/${path}`, {
      method,
      ...(body && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      }),
    }).catch(() => {
      throw new Refused(0, 'The relay does not answer. Is it running?');
    });
    if (!response.ok) throw new Refused(response.status, await messageIn(response));
    return response;
  };
  return {
    session: async () => {
      try {
        return (await (await ask('session', 'GET')).json()) as Session;
      } catch (error) {
        if (error instanceof Refused && error.status === 401) return null;
        throw error;
      }
    },
    challenge: async () => (await ask('session/challenge', 'POST', {})).json(),
    signIn: async (proof) => (await (await ask('session', 'POST', proof)).json()) as Session,
    signOut: async () => void (await ask('session', 'DELETE')),
    call: async (verb, input = {}) => (await ask(`api/${verb}`, 'POST', input)).json(),
  };
}

async function messageIn(response: Response): Promise<string> {
  const body: unknown = await response.json().catch(() => null);
  const { error } = (body ?? {}) as { error?: { message?: string; reference?: string } };
  if (error?.message === undefined) return `The relay answered ${response.status}.`;
  return response.status < 500 ? error.message : `${error.message}: ${error.reference}`;
}
