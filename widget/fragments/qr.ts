/** A QR code as SVG: always dark on light, with a quiet zone of 4 modules, whatever the theme. */
import { html, nothing, type TemplateResult } from 'lit';
import { create } from 'qrcode/lib/core/qrcode.js';
import type { ViewContext } from './view-context.js';

const QUIET_ZONE_MODULES = 4;
/**
 * Bytes above which a phone's camera does not read the modules any more: the text is shown instead.
 */
const MAX_QR_BYTES = 2400;
/** Bytes above which error correction drops from M to L, to keep modules large. */
const DENSE = 1000;
/** Pixels of a module in a saved picture. */
const MODULE = 10;

/** CSS pixels inside a small frame. */
const SMALL = 198;
/** What the button below an enlarged one takes. */
const BELOW = 116;
/**
 * A widespread decoder's table is wrong for this version at level L: the next larger one is read by
 * all.
 */
const UNREADABLE_VERSION = 23;

type Drawn = { size: number; path: string };

/**
 * CSS pixels of a picture whose modules are a whole number of the screen's pixels each: uneven ones
 * are read badly.
 */
function crisp(size: number, room: number): number {
  const whole = Math.floor((room * devicePixelRatio) / size);
  return whole > 0 ? (whole * size) / devicePixelRatio : room;
}

const picture = (
  { path, size }: Drawn,
  description: string,
  room: number,
  part: string | typeof nothing = nothing,
): TemplateResult =>
  html`<svg
    part=${part}
    class="qr"
    role="img"
    aria-label=${description}
    width=${crisp(size, room)}
    viewBox="0 0 ${size} ${size}"
    shape-rendering="crispEdges"
  >
    <path fill="#fff" d="M0 0h${size}v${size}H0z" />
    <path fill="#000" d=${path} />
  </svg>`;

/** A small one. @returns null when the text is too long for a QR code */
export function qrCode(
  { room }: ViewContext,
  text: string,
  description: string,
  part = 'qr',
): TemplateResult | null {
  const drawn = draw(text);
  return (
    drawn &&
    html`<div class="qr-frame">${picture(drawn, description, Math.min(SMALL, room), part)}</div>`
  );
}

/** The code with what can be done with it: enlarge, save, share. */
export function qrWithTools(
  view: ViewContext,
  text: string,
  description: string,
): TemplateResult | null {
  const drawn = draw(text);
  if (!drawn) return null;
  const { t } = view;
  const large = (event: Event): HTMLDialogElement | null =>
    (event.currentTarget as HTMLElement).closest('.qr-box')?.querySelector('dialog') ?? null;
  const tool = (words: string, action: string, act: (event: Event) => void): TemplateResult =>
    html`<button type="button" class="tool" data-action=${action} @click=${act}>${words}</button>`;
  return html`<div class="qr-box">
    <div class="qr-frame">${picture(drawn, description, view.room, 'qr')}</div>
    <div class="tools">
      ${tool(t('enlarge'), 'enlarge', (event) => large(event)?.showModal())}
      ${tool(t('save_as', { format: 'PNG' }), 'save-png', () => void toPng(drawn).then((file) => save(file)))}
      ${tool(t('save_as', { format: 'SVG' }), 'save-svg', () => save(toSvg(drawn)))}
      ${
        canShare()
          ? tool(
              t('share'),
              'share',
              () =>
                void toPng(drawn)
                  .then((file) => navigator.share({ files: [file] }))
                  .catch(() => {}),
            )
          : nothing
      }
    </div>
    <dialog class="large" aria-label=${description}>
      ${picture(drawn, description, Math.min(0.96 * innerWidth, innerHeight - BELOW))}
      <button type="button" class="quiet" @click=${(event: Event) => large(event)?.close()}>
        ${t('close')}
      </button>
    </dialog>
  </div>`;
}

const canShare = (): boolean => {
  const file = new File([], 'qr.png', { type: 'image/png' });
  return typeof navigator.share === 'function' && navigator.canShare?.({ files: [file] });
};

const toSvg = ({ path, size }: Drawn): File =>
  new File(
    [
      `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${size} ${size}"><path fill="#fff" d="M0 0h${size}v${size}H0z"/><path d="${path}"/></svg>`,
    ],
    'payment.svg',
    { type: 'image/svg+xml' },
  );

function toPng({ path, size }: Drawn): Promise<File> {
  const canvas = document.createElement('canvas');
  canvas.width = canvas.height = size * MODULE;
  const context = canvas.getContext('2d');
  context?.scale(MODULE, MODULE);
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
  // a browser may begin to read it later
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

const drawings = new Map<string, Drawn | null>();

/** What is on screen is drawn once, however often the view renders. */
function draw(text: string): Drawn | null {
  const known = drawings.get(text);
  if (known !== undefined) return known;
  if (drawings.size > 8) drawings.clear();
  const drawn = encode(text);
  drawings.set(text, drawn);
  return drawn;
}

function encode(text: string): Drawn | null {
  try {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > MAX_QR_BYTES) return null;
    const errorCorrectionLevel = bytes.length > DENSE ? 'L' : 'M';
    const segments = [{ data: bytes, mode: 'byte' }] as const;
    const first = create(segments, { errorCorrectionLevel });
    const unread = errorCorrectionLevel === 'L' && first.version === UNREADABLE_VERSION;
    const { modules } = unread
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
      if (column > from)
        path += `M${from + QUIET_ZONE_MODULES} ${row + QUIET_ZONE_MODULES}h${column - from}v1H${from + QUIET_ZONE_MODULES}z`;
    }
  return path;
}
