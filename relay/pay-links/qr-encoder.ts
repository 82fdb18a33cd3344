/** The QR library's encoder; the npm package has this module with the library inside. */
export { create } from 'qrcode/lib/core/qrcode.js';
