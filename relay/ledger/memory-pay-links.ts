/** The pay links of the ledger in memory. */
import {
  hasFreeUse,
  type PayLinkBrowserRow,
  type PayLinkLedger,
  type PayLinkRow,
} from './pay-link-ledger.js';

export type MemoryPayLinks = PayLinkLedger & {
  /** Does what `takePayLinkUse` of the SQL ledger does. */
  take(browser: PayLinkBrowserRow, now: number): boolean;
};

/** @param hasSentOrder whether an order of the intent was sent */
export function createMemoryPayLinks(hasSentOrder: (intentId: string) => boolean): MemoryPayLinks {
  const links = new Map<string, PayLinkRow>();
  /** The intent of each browser, by link and then by the browser's attempt. */
  const browsers = new Map<string, Map<string, string>>();
  const browsersOf = (id: string): Map<string, string> => browsers.get(id) ?? new Map();
  const setUsed = (link: PayLinkRow, used: number): unknown =>
    links.set(link.pay_link_id, { ...link, used });
  return {
    take: ({ attempt, intent_id, pay_link_id: id }, now) => {
      const link = links.get(id);
      if (!link || link.revoked_at !== null) return false;
      if (link.uses === 1) return true;
      const stored = browsersOf(id).get(attempt);
      if (stored !== undefined) return stored === intent_id;
      if (!hasFreeUse(link, now)) return false;
      setUsed(link, link.used + 1);
      browsersOf(id).set(attempt, intent_id);
      return true;
    },
    addPayLink: async (row) => {
      links.set(row.pay_link_id, row);
      browsers.set(row.pay_link_id, new Map());
    },
    payLink: async (tokenDigest) =>
      [...links.values()].find(({ token_digest }) => token_digest === tokenDigest) ?? null,
    payLinkIntent: async (id, attempt) => browsersOf(id).get(attempt) ?? null,
    freePayLinkUse: async ({ attempt, pay_link_id: id }) => {
      const link = links.get(id);
      const intentId = browsersOf(id).get(attempt);
      if (!link || intentId === undefined || hasSentOrder(intentId)) return;
      browsersOf(id).delete(attempt);
      setUsed(link, link.used - 1);
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
      const attempts = [...browsersOf(old.pay_link_id).keys()].slice(0, limit);
      for (const attempt of attempts) browsersOf(old.pay_link_id).delete(attempt);
      if (attempts.length > 0) return attempts.length;
      browsers.delete(old.pay_link_id);
      links.delete(old.pay_link_id);
      return 1;
    },
  };
}
