/** QR codes as SVG, dark on light in every theme: many scanners cannot read inverted codes. */
import { html, nothing, type TemplateResult } from 'lit';
import { create } from './qr-encoder.js';
import type { EventOn, ViewContext } from './view-context.js';

const QUIET_ZONE_MODULES = 4;
/** Above this size, phone cameras cannot read the modules; the text is shown instead. */
const MAX_QR_BYTES = 2400;
/** Above this size, error correction drops from M to L, which keeps the modules large. */
const MAX_LEVEL_M_BYTES = 1000;
/** Size of a module in a saved PNG. */
const PNG_MODULE_PX = 10;

/** Width inside a small frame (styles/payment.ts). */
const SMALL_QR_PX = 198;
/** Share of the window's width that an enlarged code may take. */
const MAX_WIDTH_SHARE = 0.96;
/** Height of the close button below an enlarged code, with its margins. */
const CLOSE_BUTTON_PX = 116;
/** Time after which a browser has read a saved file. */
const SAVE_MS = 10_000;
const MAX_CACHED_DRAWINGS = 9;
/**
 * A widespread decoder cannot read this version at level L because of an error in its table; the
 * next larger version is used instead.
 */
const UNREADABLE_VERSION = 23;

type Drawing = { size: number; path: string };

/**
 * Modules of different widths are hard to scan.
 *
 * @param size modules on one side
 * @returns the largest width at which each module is a whole number of device pixels
 */
function crispWidth(size: number, maxPx: number): number {
  const devicePixels = Math.floor((maxPx * devicePixelRatio) / size);
  return devicePixels > 0 ? (devicePixels * size) / devicePixelRatio : maxPx;
}

const picture = (
  { path, size }: Drawing,
  description: string,
  maxPx: number,
  part: string | typeof nothing = nothing,
): TemplateResult =>
  html`<svg
    part=${part}
    class="qr"
    role="img"
    aria-label=${description}
    width=${crispWidth(size, maxPx)}
    viewBox="0 0 ${size} ${size}"
    shape-rendering="crispEdges"
  >
    <path fill="#fff" d="M0 0h${size}v${size}H0z" />
    <path fill="#000" d=${path} />
  </svg>`;

/**
 * A small QR code.
 *
 * @returns null when the text is too long for a QR code
 */
export function qrCode(
  { maxQrPx }: ViewContext,
  text: string,
  description: string,
  part = 'qr',
): TemplateResult | null {
  const drawn = draw(text);
  if (!drawn) return null;
  const svg = picture(drawn, description, Math.min(SMALL_QR_PX, maxQrPx), part);
  return html`<div class="qr-frame">${svg}</div>`;
}

/**
 * A QR code with buttons that enlarge, save and share it.
 *
 * @returns null when the text is too long for a QR code
 */
export function qrWithTools(
  view: ViewContext,
  text: string,
  description: string,
): TemplateResult | null {
  const drawn = draw(text);
  if (!drawn) return null;
  const { t } = view;
  const maxPx = Math.min(MAX_WIDTH_SHARE * innerWidth, innerHeight - CLOSE_BUTTON_PX);
  const large = (event: EventOn<HTMLElement>): HTMLDialogElement | null =>
    event.currentTarget.closest('.qr-box')?.querySelector('dialog') ?? null;
  const tool = (
    words: string,
    action: string,
    act: (event: EventOn<HTMLElement>) => void,
  ): TemplateResult =>
    html`<button type="button" class="tool" data-action=${action} @click=${act}>${words}</button>`;
  const savePng = async (): Promise<void> => save(await toPng(drawn));
  // A rejection means that the customer closed the share sheet.
  const share = async (): Promise<void> =>
    navigator.share({ files: [await toPng(drawn)] }).catch(() => {});
  return html`<div class="qr-box">
    <div class="qr-frame">${picture(drawn, description, view.maxQrPx, 'qr')}</div>
    <div class="tools">
      ${tool(t('enlarge'), 'enlarge', (event) => large(event)?.showModal())}
      ${tool(t('save_as', { format: 'PNG' }), 'save-png', () => void savePng())}
      ${tool(t('save_as', { format: 'SVG' }), 'save-svg', () => save(toSvg(drawn)))}
      ${canShare() ? tool(t('share'), 'share', () => void share()) : nothing}
    </div>
    <dialog class="large" aria-label=${description}>
      ${picture(drawn, description, maxPx)}
      <button
        type="button"
        class="quiet"
        @click=${(event: EventOn<HTMLElement>) => large(event)?.close()}
      >
        ${t('close')}
      </button>
    </dialog>
  </div>`;
}

const canShare = (): boolean => {
  const file = new File([], 'qr.png', { type: 'image/png' });
  return typeof navigator.share === 'function' && navigator.canShare?.({ files: [file] });
};

function toSvg({ path, size }: Drawing): File {
  const svg = [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}">`,
    `<path fill="#fff" d="M0 0h${size}v${size}H0z"/>`,
    `<path d="${path}"/></svg>`,
  ];
  return new File(svg, 'payment.svg', { type: 'image/svg+xml' });
}

function toPng({ path, size }: Drawing): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size * PNG_MODULE_PX;
  const context = canvas.getContext('2d');
  context?.scale(PNG_MODULE_PX, PNG_MODULE_PX);
  if (context) {
    context.fillStyle = '#fff';
    context.fillRect(0, 0, size, size);
    context.fillStyle = '#000';
    context.fill(new Path2D(path));
  }
  return new Promise((resolve) =>
    canvas.toBlob((blob) =>
      resolve(new File(blob ? [blob] : [], 'payment.png', { type: 'image/png' })),
    ),
  );
}

function save(file: File): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  // Some browsers start to read the file only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), SAVE_MS);
}

const drawings = new Map<string, Drawing | null>();

/** Caches the drawings: the countdown renders the view every second. */
function draw(text: string): Drawing | null {
  const known = drawings.get(text);
  if (known !== undefined) return known;
  if (drawings.size >= MAX_CACHED_DRAWINGS) drawings.clear();
  const drawn = encode(text);
  drawings.set(text, drawn);
  return drawn;
}

function encode(text: string): Drawing | null {
  try {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > MAX_QR_BYTES) return null;
    const errorCorrectionLevel = bytes.length > MAX_LEVEL_M_BYTES ? 'L' : 'M';
    const segments = [{ data: bytes, mode: 'byte' }] as const;
    const first = create(segments, { errorCorrectionLevel });
    const isUnreadable = errorCorrectionLevel === 'L' && first.version === UNREADABLE_VERSION;
    const { modules } = isUnreadable
      ? create(segments, { errorCorrectionLevel, version: UNREADABLE_VERSION + 1 })
      : first;
    return { size: modules.size + 2 * QUIET_ZONE_MODULES, path: toPath(modules) };
  } catch {
    return null;
  }
}

function toPath({ size, data }: { size: number; data: ArrayLike<number> }): string {
  let path = '';
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const from = column;
      while (column < size && data[row * size + column]) column++;
      const left = from + QUIET_ZONE_MODULES;
      const top = row + QUIET_ZONE_MODULES;
      if (column > from) path += `M${left} ${top}h${column - from}v1H${left}z`;
    }
  return path;
}
