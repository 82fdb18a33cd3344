/** Requests a customer's deposit address once, stores it, and describes its network. */
import { Failure } from '../contract/failure.js';
import type { DepositAddress } from '../contract/responses.js';
import { traceField, type Trace } from '../contract/trace.js';
import { isVisibleAddress, isVisibleTag } from '../contract/visible-text.js';
import type { Identity } from '../intent/identity.js';
import { verifyDepositToken } from '../intent/order-token.js';
import type { Config } from '../config/schema.js';
import type { Ledger } from '../ledger/ledger.js';
import {
  errorForLog,
  isOfCredential,
  OrderServiceError,
  whyUnsent,
} from '../order-service/errors.js';
import type { OrderService } from '../order-service/client.js';
import type { Log } from '../runtime.js';
import { addressForm, type AddressForm } from './address-form.js';
import { paymentUri } from './payment-uri.js';
import { isTagOfFamily } from './tag-form.js';

type DepositDeps = {
  config: Config;
  identity: Pick<Identity, 'audiences'>;
  ledger: Ledger;
  service: OrderService;
  clock: { now(): number };
  log: Log;
};
type Asset = Config['deposits'][number];
/**
 * Part of the stored key: an address is requested again when the configured network changes. One
 * that was stored without the verification that is configured now is verified first.
 */
const networksOf = ({ network = '', verify }: Asset): string[] =>
  verify ? [verified(network)] : [network, verified(network)];
const verified = (network: string): string => `${network} (verified)`;
const tagged = (network: string): string => `${network} (tagged)`;
type Found = { address: string; tag: string };
type AddressRequest = {
  currency: string;
  deposit_token?: string | undefined;
  customer_ref_id?: string | undefined;
};

/** @param checkRate called before the service is asked; it throws when a rate limit is reached */
export type FindDepositAddress = (
  request: AddressRequest,
  checkRate: (customerRefId: string) => Promise<void>,
  trace?: Trace,
) => Promise<DepositAddress>;

/**
 * Concurrent requests for one address share one call of the service.
 *
 * @returns a function that throws a Failure naming the field, or why the service gave no address
 */
export function createDepositAddress(deps: DepositDeps): FindDepositAddress {
  const underWay = new Map<string, Promise<Found>>();
  return async (request, checkRate, trace) => {
    const { config, ledger } = deps;
    const asset = assetOf(config, request);
    const customerRefId = await customerOf(deps, request);
    const key = JSON.stringify([customerRefId, asset.currency, networksOf(asset)]);
    const known = (await storedAddress(ledger, customerRefId, asset)) ?? underWay.get(key);
    if (known) return shown(config, asset, checkForm(deps, asset, await known));
    const asking = checkRate(customerRefId)
      .then(() => askService(deps, asset, customerRefId, trace))
      .finally(() => underWay.delete(key));
    underWay.set(key, asking);
    return shown(config, asset, await asking);
  };
}

/**
 * An address without a tag, stored before the asset had tags, does not count: the service may have
 * sent none, and an empty tag means that the address needs none.
 */
async function storedAddress(
  ledger: Ledger,
  customerRefId: string,
  asset: Asset,
): Promise<Found | null> {
  const find = (network: string) => ledger.depositAddress(customerRefId, asset.currency, network);
  for (const network of networksOf(asset)) {
    const found = await find(network);
    if (found && !(isTagged(asset) && found.tag === '')) return found;
    const asked = isTagged(asset) ? await find(tagged(network)) : null;
    if (asked) return asked;
  }
  return null;
}

function assetOf(config: Config, request: AddressRequest): Asset {
  if (config.deposits.length === 0)
    throw new Failure('not_configured', 'deposits are not configured', 'currency');
  const asset = config.deposits.find(({ currency }) => currency === request.currency);
  if (!asset)
    throw new Failure(
      'currency_not_available',
      'the currency is not configured for deposits',
      'currency',
    );
  return asset;
}

function shown(
  { mode, shop, texts }: Config,
  asset: Asset,
  { address, tag }: Found,
): DepositAddress {
  const { currency, label, network, tag_label, minimum } = asset;
  const uri = paymentUri(asset, { address, tag });
  return {
    shop_name: shop.name,
    livemode: mode === 'live',
    currency,
    address,
    tag,
    ...(label === undefined ? {} : { label }),
    ...(network === undefined ? {} : { network }),
    ...(tag_label === undefined ? {} : { tag_label }),
    ...(uri === null ? {} : { uri }),
    ...(formOf(asset, address) === 'unknown' ? { unchecked: true } : {}),
    ...(minimum === undefined ? {} : { minimum }),
    ...(Object.keys(texts).length > 0 ? { texts } : {}),
  };
}

async function customerOf(
  { clock, config, identity }: DepositDeps,
  request: AddressRequest,
): Promise<string> {
  const { deposit_token } = request;
  if (deposit_token !== undefined) {
    const audiences = await identity.audiences(clock.now());
    const claims = await verifyDepositToken(config, deposit_token, audiences);
    const { customer_ref_id, currencies } = claims;
    if (currencies && !currencies.includes(request.currency))
      throw new Failure('token_contradicted', 'the token does not allow this currency', 'currency');
    if (request.customer_ref_id !== undefined && request.customer_ref_id !== customer_ref_id)
      throw new Failure(
        'token_contradicted',
        'customer_ref_id contradicts the token',
        'customer_ref_id',
      );
    return customer_ref_id;
  }
  if (request.customer_ref_id === undefined)
    throw new Failure(
      'invalid_request',
      'deposit_token or customer_ref_id is required',
      'deposit_token',
    );
  if (!config.open_deposits)
    throw new Failure(
      'not_configured',
      'open_deposits is not configured; a deposit_token is required',
      'customer_ref_id',
    );
  return request.customer_ref_id;
}

async function askService(
  { clock, config, ledger, log, service }: DepositDeps,
  asset: Asset,
  customerRefId: string,
  trace: Trace | undefined,
): Promise<Found> {
  const { currency, network = '', verify } = asset;
  const ask = async (): Promise<Found> => {
    const asked = { currency, customer_ref_id: customerRefId };
    const answer = await service.depositAddress(asked, undefined, trace);
    if (answer.currency !== currency)
      throw new Failure('service_unreadable', 'the order service answered for another currency');
    return { address: answer.address, tag: tagOf(asset, answer.tag) };
  };
  let found: Found | undefined;
  try {
    // the customer keeps an address that was stored without verification
    const toVerify = { ...asset, verify: false };
    const stored = verify ? await storedAddress(ledger, customerRefId, toVerify) : null;
    const { address, tag } = stored ?? (await ask());
    found = checkForm({ log }, asset, { address, tag });
    if (formOf(asset, address) === 'unknown')
      log('warn', 'deposit_address', {
        currency,
        message:
          'the address has a form of its uri_family that is not checked; shown without a URI',
      });
    // the answer's body is not documented, so any success counts as verified
    if (verify)
      await service.verifyDepositAddress({ currency, address, ...(tag === '' ? {} : { tag }) });
    const key = verify ? verified(network) : network;
    return await ledger.keepDepositAddress({
      customer_ref_id: customerRefId,
      currency,
      network: isTagged(asset) ? tagged(key) : key,
      address,
      tag,
      created_at: clock.now(),
    });
  } catch (error) {
    if (!(error instanceof OrderServiceError)) throw error;
    const hide = [customerRefId, ...Object.values(found ?? {})];
    const why = errorForLog(error, config.service, { customerKnown: false, hide });
    log('warn', 'deposit_address', { currency, ...traceField(trace), ...why });
    // a refused credential says nothing about the address
    if (found && error.kind === 'refused' && !isOfCredential(error))
      throw unverified('the order service does not confirm the address');
    switch (error.kind) {
      case 'refused':
      case 'invalid_request':
        throw new Failure('service_refused', 'the order service refused to give an address');
      case 'unreachable':
        throw new Failure('service_unreachable', whyUnsent(error));
      case 'outcome_unknown':
        throw new Failure('service_timeout', 'the order service did not answer in time');
      case 'unreadable':
        throw new Failure('service_unreadable', 'the order service answered in no documented form');
    }
  }
}

/** Families with tags; a deposit without the tag of its address is lost. */
const TAGGED_FAMILIES: readonly (string | undefined)[] = ['ripple', 'stellar'];

const isTagged = ({ tag_label, uri_family }: Asset): boolean =>
  tag_label !== undefined || TAGGED_FAMILIES.includes(uri_family);

/**
 * For an asset with tags the service must send a tag. An empty tag means that the address needs no
 * tag.
 *
 * @throws Failure `service_unreadable` when the tag is absent: a deposit without it could be lost
 */
function tagOf(asset: Asset, tag: string | undefined): string {
  if (isTagged(asset) && tag === undefined)
    throw new Failure(
      'service_unreadable',
      'the order service sent no tag; an address that needs none has an empty tag',
    );
  return tag ?? '';
}

const formOf = ({ chain_id, uri_family }: Asset, address: string): AddressForm | null =>
  uri_family ? addressForm(uri_family, address, chain_id) : null;

/** Refuses a new or stored address that nobody can compare, or that its network cannot have. */
function checkForm({ log }: Pick<DepositDeps, 'log'>, asset: Asset, found: Found): Found {
  const problem = problemOf(asset, found);
  if (problem === null) return found;
  log('error', 'deposit_address', { currency: asset.currency, message: `${problem}; withheld` });
  throw unverified(problem);
}

function problemOf(asset: Asset, { address, tag }: Found): string | null {
  if (!isVisibleAddress(address)) return 'the address has invisible characters';
  if (!isVisibleTag(tag)) return 'the tag has invisible characters';
  if (formOf(asset, address) === 'corrupt') return 'its uri_family has no such address';
  return isTagOfFamily(asset, tag) ? null : 'its uri_family has no such tag';
}

const unverified = (why: string): Failure => new Failure('address_unverified', why);
