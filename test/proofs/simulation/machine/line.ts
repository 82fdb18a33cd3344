/** The line from one relay process to the order service: connections, requests, answers. */
import type { Send } from '../../../../relay/order-service/client.js';
import { OrderServiceError } from '../../../../relay/order-service/errors.js';
import type { Random } from '../chance.js';
import type { FaultName } from '../faults/names.js';
import type { History } from '../history.js';
import type { Reply } from '../service/answers.js';
import { faultOfQuirk, payQuirk, queryQuirk, type Promises } from '../service/quirks.js';
import type { Service } from '../service/service.js';
import type { Scheduler } from '../time/scheduler.js';
import type { Gate } from './gate.js';

export type LineDeps = {
  scheduler: Scheduler;
  history: History;
  service: Service;
  promises: Promises;
  /** The shop whose relays use the line. */
  shop: string;
  /** The state of the network between this shop and the service. */
  network: { outage: 'none' | 'refused' | 'silent' };
  touch(requestId: string, fault: FaultName): void;
  /** Called when a relay sends a query; `gate` is that of its process. */
  onQuery(requestId: string, gate: Gate): void;
};

type Call = { path: string; json: string; requestId: string; random: Random };

const requestIdOf = (json: string): string => /"request_id":"([^"]*)"/.exec(json)?.[1] ?? '';

/** The share of requests that need a new connection. The others are written at once. */
const NEW_CONNECTION_PART = 0.2;
const MEAN_CONNECT_MS = 30;
const MEAN_TRAVEL_MS = 15;
/** The mean extra delay of a late answer. */
const LATE_ANSWER_MS = 9000;
/** The longest extra delay of a late request: it arrives before the last resend. */
const LATE_REQUEST_MS = 120_000;

const unreachable = (): OrderServiceError =>
  new OrderServiceError('unreachable', 'no connection was made');
const broken = (): OrderServiceError =>
  new OrderServiceError('outcome_unknown', 'the connection broke');

export function createLine(deps: LineDeps, gate: Gate): Send {
  const { history, network, promises, scheduler, service, shop } = deps;

  const connect = async ({ random }: Call, signal: AbortSignal): Promise<void> => {
    if (network.outage === 'refused') throw unreachable();
    if (random.chance(NEW_CONNECTION_PART)) await scheduler.sleep(random.wait(MEAN_CONNECT_MS));
    const held = gate.pass();
    if (held) await held;
    // after a freeze, a process may see its connection before it sees that its deadline is over
    if (signal.aborted && !(held && random.chance(0.5))) throw broken();
  };

  /** The service receives the request after `ms`, whatever becomes of the relay. */
  const deliver = (ms: number, receive: () => Reply): Promise<Reply> =>
    new Promise((resolve) => {
      if (network.outage === 'silent') return;
      scheduler.after(ms, () => resolve(receive()));
    });

  const answerAfter = async (reply: Reply, ms: number): Promise<Reply> => {
    await scheduler.sleep(ms);
    const held = gate.pass();
    if (held) await held;
    return reply;
  };

  const never = new Promise<Reply>(() => {});

  const carry = async (call: Call, quirk: string, receive: () => Reply): Promise<Reply> => {
    const { random } = call;
    const travel = random.wait(MEAN_TRAVEL_MS);
    if (quirk === 'lost_request') {
      if (random.chance(0.5)) return never;
      await scheduler.sleep(travel);
      throw broken();
    }
    const late = quirk === 'late_request' ? random.whole(LATE_REQUEST_MS) : 0;
    const reply = await deliver(travel + late, receive);
    if (quirk === 'lost_answer') {
      if (random.chance(0.5)) return never;
      throw broken();
    }
    const lateAnswer = quirk === 'late_answer' ? 500 + random.wait(LATE_ANSWER_MS) : 0;
    return answerAfter(reply, random.wait(MEAN_TRAVEL_MS) + lateAnswer);
  };

  return async (path, json, signal, _headers, isLate) => {
    const requestId = requestIdOf(json);
    const random = service.streamOf(requestId);
    const call: Call = { path, json, requestId, random };
    if (path.endsWith('/pay')) gate.notePay();
    await connect(call, signal);
    if (isLate?.()) throw unreachable();
    if (path.endsWith('/pay')) {
      const quirk = payQuirk(random, promises);
      history.write(`relay of ${shop}`, `pays ${requestId} (${quirk})`);
      note(deps, requestId, faultOfQuirk[quirk]);
      return carry(call, quirk, () => service.receivePay(shop, json, quirk));
    }
    deps.onQuery(requestId, gate);
    const quirk = queryQuirk(random, promises);
    note(deps, requestId, faultOfQuirk[quirk]);
    if (quirk !== 'none') history.write(`relay of ${shop}`, `asks for ${requestId} (${quirk})`);
    if (quirk === 'lost_request') service.missQuestion(requestId);
    return carry(call, quirk, () => service.receiveQuery(json, quirk));
  };
}

function note({ touch }: LineDeps, requestId: string, fault: FaultName | null): void {
  if (fault !== null) touch(requestId, fault);
}
