/** The pay links of the ledger in memory. */
import { hasFreeUse, type PayLinkLedger, type PayLinkRow } from './pay-link-ledger.js';

export function createMemoryPayLinks(): PayLinkLedger {
  const links = new Map<string, PayLinkRow>();
  /** The numbers of the browsers, by link and attempt. */
  const uses = new Map<string, Map<string, number>>();
  const usesOf = (id: string): Map<string, number> => uses.get(id) ?? new Map<string, number>();
  return {
    addPayLink: async (row) => {
      links.set(row.pay_link_id, row);
      uses.set(row.pay_link_id, new Map());
    },
    payLink: async (tokenDigest) =>
      [...links.values()].find(({ token_digest }) => token_digest === tokenDigest) ?? null,
    payLinkUse: async (id, attempt) => usesOf(id).get(attempt) ?? null,
    takePayLinkUse: async (id, attempt, now, unusable) => {
      const known = usesOf(id).get(attempt);
      if (known !== undefined && known !== unusable) return known;
      const link = links.get(id);
      if (!link || !hasFreeUse(link, now)) return null;
      const number = link.used + 1;
      links.set(id, { ...link, used: number });
      usesOf(id).set(attempt, number);
      return number;
    },
    revokePayLink: async (id, at) => {
      const link = links.get(id);
      if (!link) return null;
      const revoked_at = link.revoked_at ?? at;
      links.set(id, { ...link, revoked_at });
      return revoked_at;
    },
    purgePayLink: async (before, limit) => {
      const old = [...links.values()].find(({ expires_at }) => expires_at < before);
      if (!old) return 0;
      const attempts = [...usesOf(old.pay_link_id).keys()].slice(0, limit);
      for (const attempt of attempts) usesOf(old.pay_link_id).delete(attempt);
      if (attempts.length > 0) return attempts.length;
      uses.delete(old.pay_link_id);
      links.delete(old.pay_link_id);
      return 1;
    },
  };
}
