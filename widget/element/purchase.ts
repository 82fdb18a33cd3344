/** What the element's attributes and the page's address ask to pay for. */
import type { Resume } from '../../relay/contract/requests.js';
import { dropResume, isLinkPage, readResume } from '../browser/resume.js';
import type { Subject } from '../checkout/checkout.js';
import type { Phase } from '../checkout/flow.js';
import { hasSubject, readSubject } from '../checkout/read-subject.js';
import type { Problem } from '../problem.js';
import type { Host } from './host.js';

type Purchase = {
  /** The order that the page's URL names. */
  readonly link: Resume | null;
} & ({ readonly subject: Subject } | { readonly problem: Problem });

const problem = (code: Problem['code'], field: string, text: string): { problem: Problem } => ({
  problem: { code, message: `${field}: ${text}`, field },
});

/** Phases after which a link has done its work: its key is removed from the URL. */
const FINAL: ReadonlySet<Phase> = new Set(['succeeded', 'failed', 'expired', 'review', 'closed']);

export const isLinkDone = (phase: Phase): boolean => FINAL.has(phase);

/**
 * @param relay the relay's URL; empty when none is named
 * @param keptLink an earlier link of the page, whose key was removed from the URL
 */
export function readPurchase(host: Host, relay: string, keptLink: Resume | null): Purchase {
  if (relay === '') return { link: null, ...problem('attributes_wrong', 'relay', 'is required') };
  const link = readLink(host, relay, keptLink);
  if (link) return { link, subject: { resume: link } };
  const read = readSubject(host);
  if (!('wrong' in read)) return { link, subject: read.subject };
  const code = isLinkPage(relay) ? 'order_unknown' : 'attributes_wrong';
  return { link, ...problem(code, read.wrong.attribute, read.wrong.message) };
}

/** The page's own purchase has priority: a foreign link would show a foreign order. */
function readLink(host: Host, relay: string, keptLink: Resume | null): Resume | null {
  const named = readResume(relay);
  if (!hasSubject(host)) return named ?? keptLink;
  if (named) dropResume(relay);
  return null;
}
