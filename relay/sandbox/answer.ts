/** Turns an operation's effect into an answer, or into the requested fault. */
import type { NextAction } from '../contract/order.js';
import type { Fault } from './faults.js';

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

const html = (status: number): Response =>
  new Response('<!doctype html><title>Gateway</title><h1>Under maintenance</h1>', {
    status,
    headers: { 'content-type': 'text/html' },
  });

const delay = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

export async function answer({ effect, numeric, fault, signal }: Answering): Promise<Response> {
  const name = fault?.fault;
  if (!fault || !name) return envelope(effect(), numeric);
  switch (name) {
    case 'slow':
      await delay(fault.delay_ms);
      return envelope(effect(), numeric);
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
      return new Response(textOf(effect(), numeric).slice(0, -2), {
        headers: { 'content-type': 'application/json' },
      });
    case 'cut_mid_body':
      return cutBody(textOf(effect(), numeric));
    case 'missing_data':
      return envelope({ ...effect(), data: undefined }, numeric);
    case 'refusal':
      return envelope({ code: fault.value || '5001', message: 'refused on demand' }, numeric);
    case 'late_effect':
      void delay(fault.delay_ms).then(effect);
      return html(500);
    case 'code_number':
      return envelope(effect(), true);
    case 'code_string':
      return envelope(effect(), false);
    default: {
      const result = effect();
      return envelope(
        result.data
          ? { ...result, data: { ...result.data, ...wrongFields(name, fault.value) } }
          : result,
        numeric,
      );
    }
  }
}

function wrongFields(name: string, value: string): Data {
  switch (name) {
    case 'wrong_amount':
      return { order_amount: value || '0.01' };
    case 'wrong_currency':
      return { currency: value || 'XTS' };
    case 'unknown_status':
      return { status: Number(value || '77') };
    case 'two_links':
      return {
        ...NO_LINKS,
        qrcode_string: 'two-links',
        checkout_url: 'https://two-links.example/',
      };
    case 'no_link':
      return NO_LINKS;
    case 'hostile_link':
      return { ...NO_LINKS, checkout_url: value || 'javascript:alert(1)' };
    case 'off_list_link':
      return { ...NO_LINKS, checkout_url: value || 'https://off-list.example/pay' };
    case 'wrong_code':
      return { ...NO_LINKS, qrcode_string: value || '00020153038405406999.005802XX63040000' };
    default:
      return {};
  }
}

/** A code of `refusal` that is no number stays a text. */
const textOf = (result: Result, numeric: boolean): string =>
  JSON.stringify({
    ...result,
    code: numeric && /^\d+$/.test(result.code) ? Number(result.code) : result.code,
  });

const envelope = (result: Result, numeric: boolean): Response =>
  new Response(textOf(result, numeric), { headers: { 'content-type': 'application/json' } });

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
    headers: { 'content-type': 'application/json', 'content-length': String(bytes.length) },
  });
}
