/** The address of the shop for a screen without an offer of the relay. */
import type { ViewContext } from '../fragments/view-context.js';

/**
 * Reads the page's `return-url`. The relay has not checked it, so it is used only when it leads to
 * the page's own origin.
 */
export function ownReturnUrl({ returnUrl }: ViewContext): string | undefined {
  if (returnUrl === null || !URL.canParse(returnUrl)) return undefined;
  return new URL(returnUrl).origin === location.origin ? returnUrl : undefined;
}
