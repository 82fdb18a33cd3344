/** The pay links of the ledger in memory. */
import { linkOfIntent, mayClaim, type PayLinkClaim } from './pay-link-ledger.js';
import type { PayLinkLedger, PayLinkRow } from './pay-link-ledger.js';

export type MemoryPayLinks = PayLinkLedger & {
  /** Whether the link takes an order of the intent. */
  mayClaim(claim: PayLinkClaim, intentId: string): boolean;
  /** Writes orders of an intent, and counts the use that it takes or gives back. */
  counting<T>(intentId: string, write: () => T): T;
};

/** @param holds whether an intent holds a use of its link */
export function createMemoryPayLinks(holds: (intentId: string) => boolean): MemoryPayLinks {
  const links = new Map<string, PayLinkRow>();
  return {
    mayClaim: ({ now, pay_link_id }, intentId) => {
      const link = links.get(pay_link_id);
      return link !== undefined && mayClaim(link, { holds: holds(intentId), now });
    },
    counting: (intentId, write) => {
      const link = links.get(linkOfIntent(intentId) ?? '');
      const before = holds(intentId);
      const result = write();
      const change = Number(holds(intentId)) - Number(before);
      if (link) links.set(link.pay_link_id, { ...link, used: link.used + change });
      return result;
    },
    addPayLink: async (row) => void links.set(row.pay_link_id, row),
    payLink: async (tokenDigest) =>
      [...links.values()].find(({ token_digest }) => token_digest === tokenDigest) ?? null,
    revokePayLink: async (id, at) => {
      const link = links.get(id);
      if (!link) return null;
      const revoked_at = link.revoked_at ?? at;
      links.set(id, { ...link, revoked_at });
      return revoked_at;
    },
    purgePayLinks: async (before, limit) => {
      const old = [...links.values()].filter(({ expires_at }) => expires_at < before);
      for (const { pay_link_id } of old.slice(0, limit)) links.delete(pay_link_id);
      return Math.min(old.length, limit);
    },
  };
}
