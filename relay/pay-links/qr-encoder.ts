/** The encoder of the QR library; in the npm package this module contains the library. */
export { create } from 'qrcode/lib/core/qrcode.js';
