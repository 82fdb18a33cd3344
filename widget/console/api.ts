/** Calls of the relay's console: the session, and the verbs. */
import type { z } from 'zod';
import type { ConsoleState } from '../../relay/gauges.js';
import type { accessShape } from '../../relay/operator/shapes.js';
import type { VerbAnswers } from '../../relay/operator/verbs.js';

export type Session = { readonly name: string; readonly role: 'read' | 'act' };

/** The answer of each verb. The relay checks what it takes. */
export type Answers = VerbAnswers & {
  state: ConsoleState;
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
export function createApi(): Api {
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
