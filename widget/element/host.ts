/** The element as its controller sees it: its properties, its relay and its width. */
import type { ReactiveControllerHost } from 'lit';
import { isHelpUrl } from '../../relay/contract/help-url.js';
import type { Customer } from '../../relay/contract/requests.js';
import type { MaybeBegun } from '../browser/begun.js';
import type { OpenIn } from '../browser/opener.js';
import { parseUrl } from '../browser/parse-url.js';
import { absoluteRelay, pageRelay, scriptRelay } from '../browser/script-relay.js';
import { SUBJECT_PROPERTIES, type Attributes } from '../checkout/read-subject.js';
import type { Fetch } from '../relay-client.js';

/** The properties of the element that the controller reads. */
export type Host = ReactiveControllerHost &
  HTMLElement &
  Attributes &
  MaybeBegun & {
    readonly relay: string | null;
    readonly option: string | null;
    readonly display: string;
    readonly openIn: OpenIn;
    readonly tagGate: boolean;
    readonly locale: string | null;
    readonly fetch: Fetch | undefined;
    readonly hasUpdated: boolean;
    readonly renderRoot: HTMLElement | DocumentFragment;
    readonly supportUrl: string | null;
    readonly customer: Customer;
  };

/** Properties whose change restarts the checkout. */
export const RESTART_PROPERTIES = ['relay', ...SUBJECT_PROPERTIES] as const;

/** Read while the script runs: `document.currentScript` is null later. */
const SCRIPT_RELAY = scriptRelay();

/** The absolute URL of the relay that the attribute, the script or the page names. */
export const relayOf = (host: Host): string | null =>
  absoluteRelay(host.relay ?? SCRIPT_RELAY ?? pageRelay(), host.baseURI);

/** The page's own `support-url`, which may be relative; undefined when it cannot be opened. */
export function ownHelp({
  baseURI,
  supportUrl,
}: Pick<Host, 'baseURI' | 'supportUrl'>): string | undefined {
  const url = supportUrl ? parseUrl(supportUrl, baseURI)?.href : undefined;
  return isHelpUrl(url) ? url : undefined;
}

/** Width of the widest card; padding with border of a wide and a narrow card (styles/card.ts). */
const MAX_CARD_PX = 520;
const PADDING_PX = 25;
const NARROW_CARD_PX = 480;
const NARROW_PADDING_PX = 17;
/** In a narrower card the code's frame covers the padding (styles/payment.ts). */
const FULL_BLEED_PX = 360;
/** Space for the line around the code on each side (styles/payment.ts). */
const RING_PX = 6;

/** @returns the width that a QR code may take, in CSS pixels */
export function maxQrWidth({
  clientWidth,
  display,
}: Pick<Host, 'clientWidth' | 'display'>): number {
  const space = display === 'modal' ? innerWidth : clientWidth || Infinity;
  const card = Math.min(space, MAX_CARD_PX);
  const padding = card < NARROW_CARD_PX ? NARROW_PADDING_PX : PADDING_PX;
  return card - 2 * ((card < FULL_BLEED_PX ? 1 : padding) + RING_PX);
}
