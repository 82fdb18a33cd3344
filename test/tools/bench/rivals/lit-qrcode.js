import { html, LitElement, render } from 'lit';
import { create } from 'qrcode/lib/core/qrcode.js';

/** What an element with a QR code needs at least. */
Object.assign(globalThis, { LitElement, create, html, render });
