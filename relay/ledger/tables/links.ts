/** Pay links and deposit addresses. */
import type { Ledger } from '../ledger.js';
import type { PayLinkRow } from '../pay-link-ledger.js';
import type { DepositAddressRow } from '../rows.js';
import type { Engine } from './engine.js';
import { first, run, type Program } from './program.js';

/** The columns of a `PayLinkRow`. */
export const LINK =
  'pay_link_id, token_digest, terms, uses, used, created_at, expires_at, revoked_at, revoked_by, ' +
  'erased_at, erased_by';

export const LINK_BY_ID = `select ${LINK} from pay_links where pay_link_id = $1`;

/** @param taken by the change of an intent; negative when it gives its use back */
export function* takeUses({ pay_link_id }: PayLinkRow, taken: number): Program<void> {
  if (taken === 0) return;
  yield* run('update pay_links set used = used + $1 where pay_link_id = $2', taken, pay_link_id);
}

/** The columns of a `DepositAddressRow`. */
export const ADDRESS = 'customer_ref_id, currency, network, address, tag, created_at';

export const linksIn = ({
  read,
  write,
}: Engine): Pick<
  Ledger,
  'addPayLink' | 'depositAddress' | 'keepDepositAddress' | 'payLink' | 'revokePayLink'
> => ({
  addPayLink: (row) =>
    write(function* () {
      const { created_at, expires_at, pay_link_id, revoked_at, revoked_by } = row;
      const { erased_at, erased_by } = row;
      const { terms, token_digest, used, uses } = row;
      yield* run(
        `insert into pay_links (${LINK}) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
        ...[pay_link_id, token_digest, terms, uses, used],
        ...[created_at, expires_at, revoked_at, revoked_by, erased_at, erased_by],
      );
    }),
  payLink: (digest) =>
    read(() => first<PayLinkRow>(`select ${LINK} from pay_links where token_digest = $1`, digest)),
  revokePayLink: (id, at, by = null) =>
    write(function* () {
      yield* run(
        `update pay_links set revoked_at = $1, revoked_by = $2
          where pay_link_id = $3 and revoked_at is null`,
        at,
        by,
        id,
      );
      return (yield* first<PayLinkRow>(LINK_BY_ID, id))?.revoked_at ?? null;
    }),
  depositAddress: (...key) => read(() => addressOf(...key)),
  keepDepositAddress: (row) =>
    write(function* () {
      const { address, created_at, currency, customer_ref_id, network, tag } = row;
      yield* run(
        `insert into deposit_addresses (${ADDRESS}) values ($1, $2, $3, $4, $5, $6)
          on conflict do nothing`,
        ...[customer_ref_id, currency, network, address, tag, created_at],
      );
      return (yield* addressOf(customer_ref_id, currency, network)) ?? row;
    }),
});

const addressOf = (
  customerRefId: string,
  currency: string,
  network: string,
): Program<DepositAddressRow | null> =>
  first(
    `select ${ADDRESS} from deposit_addresses
      where customer_ref_id = $1 and currency = $2 and network = $3`,
    customerRefId,
    currency,
    network,
  );
