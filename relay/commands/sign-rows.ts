/** Signs an order token for each row. */
import { takes, whyNoneTakes } from '../config/payment-options.js';
import type { Config } from '../config/schema.js';
import { orderTokenRequest, type OrderTokenRequest } from '../contract/backend-requests.js';
import { Failure } from '../contract/failure.js';
import { firstWrongField } from '../contract/wrong-field.js';
import { signOrderToken } from '../intent/sign-order-token.js';
import { UsageError } from './arguments.js';
import type { Cells, Row } from './rows.js';

/**
 * All tokens end at the same moment, unless the rows say otherwise.
 *
 * @param now in milliseconds
 * @param warn is told of each row that no customer could pay
 * @throws UsageError naming the line and the field, when one row cannot be signed; Failure
 *   `not_configured` without a key to sign with
 */
export async function signRows(
  config: Config,
  rows: readonly Row[],
  now: number,
  warn: (text: string) => void = () => {},
): Promise<Cells[]> {
  const lineOf = new Map<string, number | null>();
  const signed: Cells[] = [];
  for (const row of rows) {
    const request = checkedRequest(row);
    const cells = await signedRow(config, row, request, now);
    const { jti } = cells;
    if (lineOf.has(jti))
      throw wrong(row, `jti: ${jti} is in line ${lineOf.get(jti)} too; sign one token per order`);
    lineOf.set(jti, row.line);
    const why = whyUnpayable(config, request);
    if (why !== null) warn(named(row, why));
    signed.push(cells);
  }
  return signed;
}

/** @returns null when an option of the request takes its charge */
function whyUnpayable({ options }: Config, request: OrderTokenRequest): string | null {
  const listed = options.filter(({ id }) => request.options?.includes(id) ?? true);
  return listed.some((option) => takes(option, request)) ? null : whyNoneTakes(listed, request);
}

async function signedRow(
  config: Config,
  row: Row,
  request: OrderTokenRequest,
  now: number,
): Promise<Cells & { jti: string }> {
  try {
    const { expiresAt, jti, token } = await signOrderToken(config, request, now);
    return { ...row.cells, jti, order_token: token, expires_at: new Date(expiresAt).toISOString() };
  } catch (error) {
    // a key that the configuration lacks is no fault of the row
    const isOfRow = error instanceof Failure && error.code !== 'not_configured';
    throw isOfRow ? wrong(row, error.message) : error;
  }
}

function checkedRequest(row: Row): OrderTokenRequest {
  const request = orderTokenRequest.safeParse(asRequest(row.cells));
  if (request.success) return request.data;
  const { field, problem } = firstWrongField(request.error);
  throw wrong(row, `${field}: ${problem}`);
}

const named = ({ line }: Row, problem: string): string =>
  line === null ? problem : `line ${line}: ${problem}`;
const wrong = (row: Row, problem: string): UsageError => new UsageError(named(row, problem));

/** What the command adds to a row. Its output can be signed again, by the same `jti`. */
const ADDED = ['order_token', 'expires_at'];

/** Converts the texts of a row; an empty cell means that the field is absent. */
function asRequest(cells: Cells): Cells {
  const present = Object.entries(cells).filter(
    ([name, value]) => value !== '' && value !== undefined && !ADDED.includes(name),
  );
  return Object.fromEntries(
    present.map(([name, value]) => {
      if (name === 'options' && typeof value === 'string') return [name, value.trim().split(/\s+/)];
      if (name === 'expires_in' && typeof value === 'string' && /^\d+$/.test(value))
        return [name, Number(value)];
      return [name, value];
    }),
  );
}
