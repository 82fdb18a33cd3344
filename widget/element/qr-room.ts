/** How wide a QR code may be, in CSS pixels. */
import type { Host } from './host.js';

/** Inside the frame of a QR code, and what stands around it in the narrowest card (styles/). */
const QR_ROOM = 262;
const QR_MARGIN = 54;
/** What stands beside a modal on a narrow page. */
const MODAL_MARGIN = 32;

export function qrRoom({ clientWidth, display }: Pick<Host, 'clientWidth' | 'display'>): number {
  const width = display === 'modal' ? innerWidth - MODAL_MARGIN : clientWidth || Infinity;
  return Math.min(QR_ROOM, width - QR_MARGIN);
}
