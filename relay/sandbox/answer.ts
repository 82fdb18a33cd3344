/** Turns an operation's effect into an answer, or into the requested fault. */
import type { NextAction } from '../contract/order.js';
import type { Fault, FaultName } from './faults.js';

/** Cuts the connection: on Node the listener destroys the socket; in a tab, fetch rejects. */
export class ConnectionCut extends Error {}

type Data = Record<string, unknown>;
type LinkOf<Action> = Action extends unknown ? Exclude<keyof Action, 'kind'> : never;
/** Takes every link out of an answer. */
const NO_LINKS: Readonly<Record<LinkOf<NextAction>, undefined>> = {
  qrcode_string: undefined,
  checkout_url: undefined,
  wallet_url: undefined,
};
type Result = { code: string; message: string; data?: Data };
type Answering = {
  /** Runs the operation; called at most once. */
  effect: () => Result;
  /** Whether `code` is a number, as in the deposit-address response; elsewhere it is a string. */
  numeric: boolean;
  fault: Fault | null;
  signal: AbortSignal;
};

const JSON_TYPE = { 'content-type': 'application/json' };

const html = (status: number): Response =>
  new Response('<!doctype html><title>Gateway</title><h1>Under maintenance</h1>', {
    status,
    headers: { 'content-type': 'text/html' },
  });

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function answer({ effect, fault, numeric, signal }: Answering): Promise<Response> {
  const envelope = (result: Result, isNumeric = numeric): Response =>
    new Response(textOf(result, isNumeric), { headers: JSON_TYPE });
  if (!fault) return envelope(effect());
  switch (fault.fault) {
    case 'slow':
      await delay(fault.delay_ms);
      return envelope(effect());
    case 'never_answers':
      effect();
      await new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => resolve(), { once: true }),
      );
      throw new ConnectionCut();
    case 'cut_before':
      throw new ConnectionCut();
    case 'cut_after':
      effect();
      throw new ConnectionCut();
    case 'http_500_html':
      return html(500);
    case 'http_500_html_after':
      effect();
      return html(500);
    case 'html_200':
      effect();
      return html(200);
    case 'broken_json':
      return new Response(textOf(effect(), numeric).slice(0, -2), { headers: JSON_TYPE });
    case 'cut_mid_body':
      return cutBody(textOf(effect(), numeric));
    case 'missing_data':
      return envelope({ ...effect(), data: undefined });
    case 'refusal':
      return envelope({ code: fault.value || '5001', message: 'refused on demand' });
    case 'late_effect':
      void delay(fault.delay_ms).then(effect);
      return html(500);
    case 'code_number':
      return envelope(effect(), true);
    case 'code_string':
      return envelope(effect(), false);
    default: {
      const { data, ...result } = effect();
      const wrong = WRONG_FIELDS[fault.fault](fault.value);
      return envelope(data ? { ...result, data: { ...data, ...wrong } } : result);
    }
  }
}

/** What each fault that falsifies an answer puts into its data. */
const WRONG_FIELDS = {
  wrong_amount: (value) => ({ order_amount: value || '0.01' }),
  wrong_currency: (value) => ({ currency: value || 'XTS' }),
  unknown_status: (value) => ({ status: Number(value || '77') }),
  two_links: () => ({
    ...NO_LINKS,
    qrcode_string: 'two-links',
    checkout_url: 'https://two-links.example/',
  }),
  no_link: () => NO_LINKS,
  hostile_link: (value) => ({ ...NO_LINKS, checkout_url: value || 'javascript:alert(1)' }),
  off_list_link: (value) => ({
    ...NO_LINKS,
    checkout_url: value || 'https://off-list.example/pay',
  }),
  wrong_code: (value) => ({
    ...NO_LINKS,
    qrcode_string: value || '00020153038405406999.005802XX63040000',
  }),
} satisfies Partial<Record<FaultName, (value: string) => Data>>;

/** A code of `refusal` that is no number stays a text. */
const textOf = (result: Result, numeric: boolean): string =>
  JSON.stringify({
    ...result,
    code: numeric && /^\d+$/.test(result.code) ? Number(result.code) : result.code,
  });

function cutBody(text: string): Response {
  const bytes = new TextEncoder().encode(text);
  let sent = false;
  const body = new ReadableStream({
    pull: async (controller) => {
      // the first half must be sent before the cut
      if (sent) {
        await delay(50);
        return controller.error(new ConnectionCut());
      }
      sent = true;
      controller.enqueue(bytes.slice(0, bytes.length / 2));
    },
  });
  return new Response(body, {
    headers: { ...JSON_TYPE, 'content-length': String(bytes.length) },
  });
}
