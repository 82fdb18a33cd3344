/**
 * W3C Trace Context (https://www.w3.org/TR/trace-context/): the header `traceparent` of a request,
 * by which an operator finds the same purchase in page, relay, service and shop. The relay makes no
 * spans of its own and forwards the header as it came.
 */

const TRACEPARENT = 'traceparent';

export type Trace = { readonly traceparent: string; readonly traceId: string };

/** Version 00, lower-case hexadecimal digits; no part is only zeros. */
const FORM = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;

/** @returns undefined when the header is absent or has another form; it is then ignored */
export const readTrace = (headers: Headers): Trace | undefined => traceOf(headers.get(TRACEPARENT));

/** The trace of a header, also as the ledger keeps it with an order or an event. */
export function traceOf(traceparent: string | null): Trace | undefined {
  const traceId = traceparent === null ? undefined : FORM.exec(traceparent)?.[1];
  return traceparent === null || traceId === undefined ? undefined : { traceparent, traceId };
}

/** The headers of a request that the relay sends because of a traced one. */
export const traceHeaders = (trace: Trace | undefined): Record<string, string> =>
  trace ? { [TRACEPARENT]: trace.traceparent } : {};

/** The field of the log lines of a traced request. */
export const traceField = (trace: Trace | undefined): { trace_id?: string } =>
  trace ? { trace_id: trace.traceId } : {};
