/** The script of the operator's console (relay/console/console-page.ts). */
import { PayConsole } from './pay-console.js';

document.body.style.margin = '0';
customElements.define('pay-console', PayConsole);
