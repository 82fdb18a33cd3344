/**
 * The operator's console: its page, its sessions, and the verbs as `POST /console/api/<verb>`.
 * Nothing but the page and its files answers without a session.
 */
import { z } from 'zod';
import type { Relay } from '../app.js';
import { Failure, failureStatuses } from '../contract/failure.js';
import { readBody } from '../http/body.js';
import { causeForLog } from '../http/errors.js';
import type { ConsoleState, Upstream } from '../gauges.js';
import { Refusal } from '../operator/refusal.js';
import { verbNamed } from '../operator/verbs.js';
import { asLedgerFailure } from '../orders/place-failures.js';
import { NotInReview } from '../orders/resolve.js';
import type { Log } from '../runtime.js';
import { ConsoleError } from './console-error.js';
import { consoleHeaders, consolePage } from './console-page.js';
import { passkeyProof, type ConsoleAccess } from './access.js';
import { requireHost, requireOrigin, sessionCookie, sessionsIn, type Place } from './guard.js';
import type { Operator, OperatorKeys } from './operator-keys.js';
import { SESSION_MS, type Sessions } from './sessions.js';

type ConsoleDeps = {
  readonly relay: Pick<Relay, 'state' | 'verbDeps'>;
  readonly upstream: () => Promise<Upstream>;
  readonly access: ConsoleAccess;
  readonly keys: OperatorKeys;
  readonly sessions: Sessions;
  readonly hosts: () => readonly string[];
  readonly script: (request: Request) => Response;
  readonly log: Log;
};

const PREFIX = '/console';
const SCRIPT = `${PREFIX}/console.js`;
const API = `${PREFIX}/api/`;
const SESSION = `${PREFIX}/session`;

const CHALLENGE = `${SESSION}/challenge`;

/** The longest text that a verb takes, each of its characters escaped. */
const MAX_VERB_BYTES = 131_072;

const credentials = z.union([z.strictObject({ key: z.string().min(1).max(4096) }), passkeyProof]);

/** A request with the name and the address by which it came. */
type Call = { readonly request: Request; readonly place: Place; readonly address: string };

/** @returns null when the path is not one of the console's */
type Console = (request: Request, pathname: string, address: string) => Promise<Response> | null;

export function createConsole(deps: ConsoleDeps): Console {
  const answer = async (request: Request, pathname: string, address: string) => {
    try {
      const place = requireHost(request, deps.hosts());
      const call: Call = { request, place, address };
      if (request.method === 'GET') return await get(deps, call, pathname);
      requireOrigin(request, place, deps.hosts());
      if (pathname === SESSION && request.method === 'POST') return await signIn(deps, call);
      if (pathname === CHALLENGE && request.method === 'POST')
        return json(200, await deps.access.challenge(place));
      if (pathname === SESSION && request.method === 'DELETE') return signOut(deps, call);
      if (request.method === 'POST' && pathname.startsWith(API))
        return await act(deps, call, pathname.slice(API.length));
      throw new ConsoleError(404, 'not_found', 'no such page');
    } catch (error) {
      return refused(deps.log, asLedgerFailure(error));
    }
  };
  return (request, pathname, address) => {
    const isOurs = pathname === PREFIX || pathname.startsWith(`${PREFIX}/`);
    return isOurs ? answer(request, pathname, address) : null;
  };
}

async function get(deps: ConsoleDeps, call: Call, pathname: string): Promise<Response> {
  if (pathname === PREFIX) return consolePage();
  if (pathname === SESSION) return json(200, shownSession(await requireSession(deps, call)));
  if (pathname === SCRIPT) return deps.script(call.request);
  throw new ConsoleError(404, 'not_found', 'no such page');
}

async function signIn(deps: ConsoleDeps, { address, place, request }: Call): Promise<Response> {
  const given = await readBody(request, credentials);
  const operator =
    'key' in given
      ? await holderOf(deps, given.key, address)
      : await deps.access.signIn(place, given.passkey);
  const session = deps.sessions.open(operator);
  const by = operator.passkey === null ? 'key' : 'passkey';
  deps.log('info', 'console', { signed_in: operator.name, role: operator.role, by });
  const answer = json(200, shownSession({ operator, leftMs: SESSION_MS }));
  answer.headers.set('set-cookie', sessionCookie(request, place, session));
  return answer;
}

async function holderOf(
  { access, keys }: ConsoleDeps,
  key: string,
  address: string,
): Promise<Operator> {
  const operator = keys.check(address, key);
  if (operator === 'too_many')
    throw new ConsoleError(429, 'rate_limited', 'too many wrong keys; ask again in a minute');
  if (operator === 'wrong') throw new ConsoleError(401, 'unauthorized', 'this is no operator key');
  await access.requireKeys();
  return operator;
}

function signOut({ sessions }: ConsoleDeps, { place, request }: Call): Response {
  for (const session of sessionsIn(request, place)) sessions.end(session);
  const answer = new Response(null, { status: 204, headers: consoleHeaders });
  answer.headers.set('set-cookie', sessionCookie(request, place, null));
  return answer;
}

async function act(deps: ConsoleDeps, call: Call, name: string): Promise<Response> {
  const { operator } = await requireSession(deps, call);
  const given = await readBody(call.request, z.unknown(), false, MAX_VERB_BYTES);
  const { verbs: ofAccess } = deps.access;
  const own = Object.hasOwn(ofAccess, name) ? ofAccess[name] : undefined;
  if (own) return json(200, await own({ given, operator, place: call.place }));
  if (name === 'state') return json(200, await stateOf(deps));
  const verb = verbNamed(name);
  if (!verb) throw new ConsoleError(404, 'not_found', 'no such verb');
  if (verb.role === 'act' && operator.role !== 'act')
    throw new ConsoleError(403, 'role_refused', `${operator.name} may read, and change nothing`);
  const answer = await verb.run(deps.relay.verbDeps(), given, operator.name);
  if (verb.role === 'act')
    deps.log('info', 'console', { verb: name, by: operator.name, ...aboutOf(answer) });
  return json(200, answer);
}

const stateOf = async ({ relay, upstream }: ConsoleDeps): Promise<ConsoleState> => ({
  ...(await relay.state()),
  upstream: await upstream(),
});

/** The intent that a line of the log names, when the answer of a verb is about one. */
const aboutOf = (answer: object): { intent_id?: string } =>
  about.safeParse('order' in answer ? answer.order : answer).data ?? {};

const about = z.object({ intent_id: z.string() });

type Session = NonNullable<ReturnType<Sessions['find']>>;

/**
 * A browser may send the cookie of a session that has ended beside that of an open one: at a
 * loopback address there are cookies with and without TLS, and each kind replaces only itself.
 */
async function requireSession(
  { access, sessions }: ConsoleDeps,
  { place, request }: Call,
): Promise<Session> {
  for (const secret of sessionsIn(request, place)) {
    const session = sessions.find(secret);
    if (session && (await access.isOpenTo(session.operator))) return session;
  }
  throw new ConsoleError(401, 'unauthorized', 'sign in to the console');
}

const shownSession = ({ leftMs, operator: { name, role } }: Session) => ({
  name,
  role,
  ends_in_s: Math.floor(leftMs / 1000),
});

const json = (status: number, body: object): Response =>
  Response.json(body, { status, headers: consoleHeaders });

/** A person reads the message; what is unexpected is in the log, under the reference. */
function refused(log: Log, error: unknown): Response {
  const { code, field, message, status } = asRefusal(error);
  const reference = status >= 500 ? logged(log, code, error) : undefined;
  return json(status, { error: { code, message, field, reference } });
}

/** @returns the reference of the line */
function logged(log: Log, code: string, error: unknown): string {
  const reference = crypto.randomUUID().slice(0, 8);
  const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const cause = error instanceof Failure ? causeForLog(error) : {};
  log('error', 'console', { code, reference, error: text, ...cause });
  return reference;
}

type Refused = Pick<ConsoleError, 'code' | 'message' | 'status'> & { field?: string | undefined };

function asRefusal(error: unknown): Refused {
  if (error instanceof ConsoleError) return error;
  if (error instanceof Failure) {
    const { code, field, message } = error;
    return { status: failureStatuses[code], code, message, field };
  }
  if (error instanceof Refusal || error instanceof NotInReview)
    return new ConsoleError(409, 'refused', error.message);
  return new ConsoleError(500, 'internal', 'the relay failed; the reference is in its log');
}
