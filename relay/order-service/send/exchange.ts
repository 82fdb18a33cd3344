/** One request over a dispatcher of undici, without the stream that its `request` makes. */
import type { Dispatcher } from 'undici';
import { onAbort } from '../../runtime.js';

export type Answer = { status: number; text: string };

export type Ways = {
  /** @returns the reason not to write the request; called when the connection is open */
  refuse?: () => Error | null;
  /** Called with the status; from then on the body is read only up to `maxBytes`. */
  onStatus?: (status: number) => void;
  maxBytes?: number;
};

/** @throws Error when the signal aborts, or no complete answer comes */
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
    const abort = (): void => controller?.abort(reasonOf(signal));
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
