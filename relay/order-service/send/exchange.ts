/** One request over a dispatcher of undici, without the stream that its `request` makes. */
import type { Dispatcher } from 'undici';
import { onAbort } from '../../runtime.js';
import { markNeverConnected } from './signing.js';

export type Answer = { status: number; text: string };

export type Ways = {
  /** @returns the reason not to write the request; called when the connection is open */
  refuse?: () => Error | null;
  /** Called with the status; from then on the body is read only up to `maxBytes`. */
  onStatus?: (status: number) => void;
  maxBytes?: number;
};

/**
 * @throws Error when the signal aborts, or no complete answer comes; `neverConnected` tells an
 *   abort before the connection was open
 */
export function exchange(
  dispatcher: Pick<Dispatcher, 'dispatch'>,
  options: Dispatcher.DispatchOptions,
  signal: AbortSignal | null,
  { maxBytes = Infinity, onStatus = () => {}, refuse = () => null }: Ways = {},
): Promise<Answer> {
  return new Promise((resolve, reject) => {
    let controller: Dispatcher.DispatchController | null = null;
    let status = 0;
    let bytes = 0;
    const chunks: Buffer[] = [];
    const abort = (): void => {
      const reason = reasonOf(signal);
      if (controller) return controller.abort(reason);
      // nothing was written, and `onRequestStart` will write nothing; the mark is not put on the
      // reason itself, because another request may have the same one
      reject(markNeverConnected(new Error(reason.message, { cause: reason })));
    };
    const forget = signal ? onAbort(signal, abort) : () => {};
    dispatcher.dispatch(options, {
      onRequestStart: (started) => {
        controller = started;
        const refusal = signal?.aborted ? reasonOf(signal) : refuse();
        if (refusal) started.abort(refusal);
      },
      onResponseStart: (_controller, code) => {
        status = code;
        onStatus(code);
      },
      onResponseData: (receiving, chunk) => {
        bytes += chunk.length;
        if (bytes > maxBytes) receiving.abort(new Error('the answer is too long'));
        else chunks.push(chunk);
      },
      onResponseEnd: () => {
        forget();
        resolve({ status, text: new TextDecoder().decode(Buffer.concat(chunks)) });
      },
      onResponseError: (_controller, error) => {
        forget();
        reject(error);
      },
    });
  });
}

const reasonOf = (signal: AbortSignal | null): Error =>
  signal?.reason instanceof Error ? signal.reason : new Error('the request was aborted');
