/** The way back to the shop where no offer of the relay names one. */
import type { ViewContext } from '../fragments/view-context.js';

/**
 * The address that the page itself names. The relay has not checked it, so it is used only when it
 * leads to the page's own site.
 */
export function ownReturnUrl({ returnUrl }: ViewContext): string | undefined {
  if (returnUrl === null || !URL.canParse(returnUrl)) return undefined;
  return new URL(returnUrl).origin === location.origin ? returnUrl : undefined;
}
