/**
 * The finding of `check` about a real query: whether the service accepts the relay's credential,
 * and how it says that it does not know an order.
 */
import type { Config } from '../config/schema.js';
import { httpClients } from '../node/http-clients.js';
import { createOrderService } from '../order-service/client.js';
import { unknownRequestId } from '../order-service/circuit-breaker.js';
import { isOfCredential, messageForLog, OrderServiceError } from '../order-service/errors.js';
import { isNotFound } from '../orders/ask-status.js';
import { error, ok, warn, type Finding } from '../config/findings.js';

const PATH = 'service.query';

/** Asks the service about an order that cannot exist, since its request_id is random. */
export async function ofQuery(config: Config): Promise<Finding> {
  const { base_url, headers, sign, timeout_ms } = config.service;
  const secrets = Object.entries(headers).map(([name, value]) => [name, value.reveal()] as const);
  const clients = httpClients({
    baseUrl: base_url,
    headers: Object.fromEntries(secrets),
  });
  const { query } = createOrderService({ send: clients.send, sign, timeoutMs: timeout_ms });
  try {
    await query({ request_id: unknownRequestId() });
    return warn(PATH, 'HTTP 200, code 200: the service finds an order that does not exist');
  } catch (failure) {
    if (!(failure instanceof OrderServiceError)) return error(PATH, String(failure));
    const hidden = secrets.map(([, secret]) => secret);
    return findingOf(config, failure, hidden);
  } finally {
    await clients.close();
  }
}

function findingOf(config: Config, failure: OrderServiceError, hidden: string[]): Finding {
  const { code, httpStatus, kind, message, serviceMessage } = failure;
  const line = (text: string | undefined): string => messageForLog(text, hidden) ?? '';
  const answer = `HTTP ${httpStatus}, code ${line(code)}, "${line(serviceMessage)}"`;
  if (isOfCredential(failure))
    return error(
      PATH,
      `${kind === 'refused' ? answer : message}: the service refuses the relay; ` +
        'correct service.headers or service.sign',
    );
  if (kind !== 'refused') return error(PATH, line(message));
  if (isNotFound(config, failure)) return ok(PATH, `${answer}, which means: no such order`);
  return warn(
    PATH,
    `${answer}; if this means that there is no such order, write ` +
      `"not_found_codes": [${JSON.stringify(line(code))}]`,
  );
}
