/** What a page asks for while the element's script is still loading (begin.ts). */

/** Key of the request on its element: a symbol, which no markup and no attribute can set. */
export const BEGUN = Symbol.for('pay-checkout-begun');

type Begun = {
  /** The relay's absolute URL. */
  readonly relay: string;
  /** The intent of the request, as JSON; the element uses the response only for an equal intent. */
  readonly intent: string;
  readonly response: Promise<Response>;
};

export type MaybeBegun = { readonly [BEGUN]?: Begun };
