/** Saves and shares a QR code as a picture. */
import type { Drawing } from './qr-drawing.js';

/** Width and height of a QR code's module in a saved picture. */
const PNG_MODULE_PX = 10;
/** After this time, every browser has read the file that it saves. */
const MAX_SAVE_MS = 10_000;

export const canShare = (): boolean =>
  typeof navigator.share === 'function' &&
  navigator.canShare?.({ files: [new File([], 'qr.png', { type: 'image/png' })] });

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

export async function savePicture(drawn: Drawing): Promise<void> {
  const file = await toPng(drawn);
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  // Some browsers start to read the file only after the click.
  setTimeout(() => URL.revokeObjectURL(link.href), MAX_SAVE_MS);
}

/** A rejection means that the customer closed the share sheet. */
export const sharePicture = async (drawn: Drawing): Promise<void> =>
  navigator.share({ files: [await toPng(drawn)] }).catch(() => {});
