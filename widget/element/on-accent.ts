/** Chooses black or white for the text on the accent where the styles cannot compute it. */

/** The same bound as in styles/card.ts. */
const MAX_LUMINANCE_OF_WHITE_TEXT = 0.179;

const isComputedByStyles = (): boolean => CSS.supports('color', 'color(from #000 xyz-d65 x y z)');

export function setOnAccent(primary: HTMLElement | null): void {
  if (!primary || isComputedByStyles()) return;
  const [red = 0, green = 0, blue = 0] = (
    getComputedStyle(primary).backgroundColor.match(/[\d.]+/g) ?? []
  ).map((part) => linear(Number(part) / 255));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  const colour = luminance > MAX_LUMINANCE_OF_WHITE_TEXT ? '#000' : '#fff';
  primary.style.setProperty('--_on_accent', colour);
}

const linear = (part: number): number =>
  part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
