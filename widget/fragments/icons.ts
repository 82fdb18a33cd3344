/** Icons of the payment options, as path data in a 24 × 24 view box. */
import { html, type TemplateResult } from 'lit';
import type { PaymentOption } from '../../relay/contract/responses.js';

const PATHS = {
  card: 'M3 6h18v12H3zM3 10h18M6 15h4',
  qrcode: 'M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM18 14h2M14 18v2',
  virtual_account: 'M4 10l8-6 8 6M5 20h14M6 10v7M10 10v7M14 10v7M18 10v7',
  wallet: 'M8 3h8v18H8zM11 18h2',
  on_chain: 'M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9',
};

export function optionIcon({ payment_method, payment_type }: PaymentOption): TemplateResult {
  const kind = payment_method === 'on_chain' ? 'on_chain' : (payment_type ?? 'card');
  const path = Object.hasOwn(PATHS, kind) ? PATHS[kind as keyof typeof PATHS] : PATHS.card;
  return html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true"><path d=${path} /></svg>`;
}
