/** A link's QR code as a picture, for the shop's mails and bills. */
import { qrCode } from '../contract/qr-code.js';

const QUIET_ZONE_MODULES = 4;

/**
 * Dark on light, since many scanners cannot read inverted codes. A browser that forces dark pages
 * changes the colours of shapes, but not those that a filter makes.
 */
export function qrSvg(text: string): string {
  const code = qrCode(new TextEncoder().encode(text));
  if (!code) throw new Error(`${text.length} characters do not fit into a QR code`);
  const { data, size } = code;
  const side = size + 2 * QUIET_ZONE_MODULES;
  const dark = [...data.keys()].filter((index) => data[index]);
  const path = dark
    .map((index) => {
      const x = (index % size) + QUIET_ZONE_MODULES;
      const y = Math.floor(index / size) + QUIET_ZONE_MODULES;
      return `M${x} ${y}h1v1h-1z`;
    })
    .join('');
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${side} ${side}" ` +
    `shape-rendering="crispEdges"><filter id="l"><feFlood flood-color="#fff"/></filter>` +
    `<filter id="d"><feOffset in="SourceAlpha"/></filter>` +
    `<path fill="#fff" filter="url(#l)" d="M0 0h${side}v${side}H0z"/>` +
    `<path d="${path}"/><path filter="url(#d)" d="${path}"/></svg>\n`
  );
}
