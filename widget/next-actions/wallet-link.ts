/** How a wallet opens the order's link: by its app, its own scheme, or its own page. */
import type { Wallet } from '../../relay/contract/responses.js';
import { isSafeLink } from '../fragments/external-link.js';

/** The scheme of a link, its host with the slashes before it, and the rest. */
const LINK = /^(.+?):(\/\/[^/?#]*)?(.*)$/s;

/** A package with another character could add fields to the link of an app. */
const PACKAGE = /^[\w.]+$/;

type Device = {
  readonly android: boolean;
  readonly linkSchemes: readonly string[];
  /** The link that the customer tapped before opened nothing. */
  readonly nothingOpened: boolean;
};

/**
 * @param link a link of the order that is safe
 * @returns nothing when the wallet cannot open the link
 */
export function walletLink(
  { android_package: app = '', https, scheme }: Wallet,
  link: string,
  { android, linkSchemes, nothingOpened }: Device,
): string | undefined {
  const [, own = '', host = '', rest = ''] = LINK.exec(link) ?? [];
  // A scheme with a path takes the place of the host too, as a page does.
  const forms = [scheme, https]
    .map((start) =>
      start?.includes(':') ? host && start + rest : start && `${start}:${host}${rest}`,
    )
    .filter((form) => form && isSafeLink(form, linkSchemes));
  // The link of an app ends with a fragment, and opens the order's own link, which is safe.
  if (android && host && PACKAGE.test(app) && !rest.includes('#'))
    forms.unshift(`intent:${host}${rest}#Intent;scheme=${own.toLowerCase()};package=${app};end`);
  return forms.at(nothingOpened ? -1 : 0);
}
