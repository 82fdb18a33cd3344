/** Product drawings as inline SVG, so that no picture is loaded; style/art.css has the colours. */
import type { Product } from '../shop/products.js';
import { html, type Markup } from './markup.js';

/** Drawings for the labels, centred at 0,0 in a square of 48 units. */
const motifs: Record<Product['motif'], Markup> = {
  sun: html`<circle class="mid" r="11" cy="-3" /><path class="line" d="M-24 14h48M-17 21h34" />`,
  peaks: html`<path class="mid" d="M-24 17 -7-13 3 4 9-5l15 22z" /><circle
      class="deep"
      cx="14"
      cy="-14"
      r="4"
    />`,
  bean: html`<g transform="rotate(28)"
    ><ellipse class="mid" rx="12" ry="18" /><path class="paper-line" d="M0-18c-8 10 8 26 0 36"
  /></g>`,
  wave: html`<path
    class="line"
    d="M-24-9q6-9 12 0t12 0 12 0 12 0M-24 3q6-9 12 0t12 0 12 0 12 0M-24 15q6-9 12 0t12 0 12 0 12 0"
  />`,
  leaf: html`<path class="mid" d="M-15 17C-21-7-3-19 17-19 18 3 7 19-15 17z" /><path
      class="paper-line"
      d="M-19 21-15 17C-9 6-2-3 7-10"
    />`,
  sprig: html`<path class="line" d="M0 22V-18" /><path
      class="mid"
      d="M0 14c-14 2-19-6-19-12 11-1 19 4 19 12zM0 14c14 2 19-6 19-12-11-1-19 4-19 12z
        M0-3c-12 2-16-5-16-11 10-1 16 3 16 11zM0-3c12 2 16-5 16-11-10-1-16 3-16 11z"
    />`,
};

const label = (motif: Product['motif'], y: number): Markup =>
  html`<g transform="translate(120 ${y})">${motifs[motif]}</g>`;

const shapes: Record<Product['kind'], (motif: Product['motif']) => Markup> = {
  bag: (motif) =>
    html`<path class="deep" d="M76 60h88l5 144q0 8-8 8H79q-8 0-8-8z" /><path
        class="shade"
        d="M151 60h13l5 144q0 8-8 8h-9z"
      />
      <path class="mid" d="M78 38h84v22H78z" /><path class="shade" d="M78 52h84v8H78z" />
      <rect class="paper" x="86" y="88" width="68" height="92" rx="2" />${label(motif, 122)}
      <path class="rule" d="M100 158h40M108 167h24" />`,
  tin: (motif) =>
    html`<rect class="deep" x="74" y="74" width="92" height="138" rx="8" /><path
        class="shade"
        d="M148 74h10q8 0 8 8v122q0 8-8 8h-10z"
      />
      <rect class="mid" x="70" y="50" width="100" height="30" rx="7" /><path
        class="shade"
        d="M70 72h100v1q0 7-7 7H77q-7 0-7-7z"
      />
      <rect class="paper" x="74" y="104" width="92" height="76" />${label(motif, 137)}
      <path class="rule" d="M104 170h32" />`,
  cup: () =>
    html`<path class="stroke-deep" d="M166 118c26-4 34 12 28 30-5 15-18 22-34 22" />
      <path class="deep" d="M66 100h108l-7 84q-3 28-28 28h-38q-25 0-28-28z" /><path
        class="mid"
        d="M66 100h108l-3 34q-26 14-52 4-26-10-50 4z"
      />
      <ellipse class="shade" cx="120" cy="100" rx="54" ry="9" /><path
        class="line thin"
        d="M104 76c-8-10 8-16 0-28M130 76c-8-10 8-16 0-28"
      />`,
  pot: () =>
    html`<path class="stroke-mid" d="M178 112c30-2 36 22 26 40-6 12-16 18-28 20" /><path
        class="glass"
        d="M84 90h72l26 96q4 26-22 26H80q-26 0-22-26z"
      />
      <path class="deep" d="M72 136h96l14 50q4 26-22 26H80q-26 0-22-26z" /><path
        class="steel"
        d="M104 90h32v70q0 8-8 8h-16q-8 0-8-8z"
      />
      <path class="mid" d="M80 78h80v12H80z" /><rect
        class="mid"
        x="112"
        y="62"
        width="16"
        height="16"
        rx="8"
      />`,
};

/** A product's drawing; hidden from screen readers, since the name is beside it. */
export const art = ({ kind, tone, motif }: Pick<Product, 'kind' | 'tone' | 'motif'>): Markup =>
  html`<svg class="art" data-tone="${tone}" viewBox="0 0 240 256" aria-hidden="true">
    <ellipse class="ground" cx="120" cy="213" rx="66" ry="5" />
    ${shapes[kind](motif)}
  </svg>`;

const halves = html`<path
    class="mark-bean"
    d="M13 3C5 3 2 9 2 14s3 11 11 11c-3-7 4-13 0-22z"
  /><path class="mark-leaf" d="M16 25c8 0 11-7 10-22-7 0-10 2-10 6 1 6-2 10 0 16z" />`;

/** The brand's mark: half a bean, half a leaf. */
export const mark: Markup = html`<svg class="mark" viewBox="0 0 28 28" aria-hidden="true">
  ${halves}
</svg>`;

export const tee: Markup = html`<svg
  class="art"
  data-tone="sand"
  viewBox="0 0 320 280"
  aria-hidden="true"
>
  <path
    class="cloth"
    d="M112 36 64 56 28 108l36 26 18-18v132h156V116l18 18 36-26-36-52-48-20q-48 36-96 0z"
  />
  <path class="seam" d="M112 36q48 36 96 0M82 116l6-20M238 116l-6-20" />
  <g transform="translate(139 104) scale(1.5)">${halves}</g>
</svg>`;

export const tree: Markup = html`<svg
  class="art"
  data-tone="moss"
  viewBox="0 0 320 200"
  aria-hidden="true"
>
  <path class="rule" d="M16 176h288" />
  <path class="stroke-mid" d="M160 176V92M160 132l26-22M160 120l-22-20" />
  <path
    class="deep"
    d="M86 96c0-20 18-30 32-28 4-24 28-36 48-28 20-6 40 6 40 26 18 0 30 14 28 28
      -2 12-14 18-26 16-10 10-30 10-38 0-14 8-30 6-36-4-16 8-48 8-48-10z"
  />
  <path class="mid" d="M62 176c0-14 8-24 14-24s14 10 14 24zM230 176c0-14 8-24 14-24s14 10 14 24z" />
</svg>`;
