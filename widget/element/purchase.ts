/** What the element's attributes and the page's address ask to pay for. */
import type { Resume } from '../../relay/contract/requests.js';
import { dropResume, isLinkPage, readResume } from '../browser/resume.js';
import type { Subject } from '../checkout/checkout.js';
import type { LastPhaseOfLink, Phase } from '../checkout/flow.js';
import { hasSubject, readSubject } from '../checkout/read-subject.js';
import type { Problem } from '../problem.js';
import type { Host } from './host.js';

type Purchase = {
  /** The order that the page's URL names. */
  readonly link: Resume | null;
} & (
  | {
      /** Null while the page has not named a purchase. */
      readonly subject: Subject | null;
    }
  | { readonly problem: Problem }
);

const problem = (code: Problem['code'], field: string, text: string): { problem: Problem } => ({
  problem: { code, message: `${field}: ${text}`, field },
});

/** Phases after which a link has done its work: its key is removed from the URL. */
const FINAL: Readonly<Record<LastPhaseOfLink, 1>> = {
  succeeded: 1,
  failed: 1,
  expired: 1,
  review: 1,
  closed: 1,
};

export const isLinkDone = (phase: Phase): boolean => phase in FINAL;

/**
 * @param relay the relay's URL; empty when none is named
 * @param keptLink an earlier link of the page, whose key was removed from the URL
 */
export function readPurchase(host: Host, relay: string, keptLink: Resume | null): Purchase {
  const link = readLink(host, relay, keptLink);
  const read = link ? { subject: { resume: link } } : readSubject(host);
  if (!read)
    return isLinkPage(relay)
      ? { link, ...problem('order_unknown', 'resume', 'is missing in the link') }
      : { link, subject: null };
  if (relay === '') return { link, ...problem('attributes_wrong', 'relay', 'is required') };
  if (!('wrong' in read)) return { link, subject: read.subject };
  return { link, ...problem('attributes_wrong', read.wrong.attribute, read.wrong.message) };
}

/** The page's own purchase has priority: a foreign link would show a foreign order. */
function readLink(host: Host, relay: string, keptLink: Resume | null): Resume | null {
  const named = readResume(relay);
  if (!hasSubject(host)) return named ?? keptLink;
  if (named) dropResume(relay);
  return null;
}
