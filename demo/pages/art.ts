/** Product art: a few shapes, no picture is fetched. */
import type { Product } from '../shop/products.js';

const tones: Record<string, [string, string]> = {
  amber: ['#f3e3c3', '#b97a2b'],
  rust: ['#f0d9cc', '#9c4a2a'],
  ink: ['#dfdcd8', '#3b342d'],
  moss: ['#dfe5d2', '#5f7340'],
  sand: ['#ece5da', '#a08d70'],
};
const shapes: Record<Product['kind'], string> = {
  bag: '<path d="M125 40h70l6 16v84h-82V56z"/><path d="M125 40h70l6 16h-82z" opacity=".6"/><rect x="138" y="80" width="44" height="32" rx="2" fill="#fff" opacity=".85"/>',
  tin: '<rect x="122" y="56" width="76" height="84" rx="6"/><rect x="118" y="44" width="84" height="18" rx="6" opacity=".7"/><circle cx="160" cy="102" r="18" fill="#fff" opacity=".85"/>',
  cup: '<path d="M116 64h80l-8 70q-2 6-8 6h-48q-6 0-8-6z"/><path d="M194 76q28 0 24 24t-30 22" fill="none" stroke-width="8" class="line"/>',
  pot: '<path d="M120 72q0-16 40-16t40 16l8 56q0 12-12 12h-72q-12 0-12-12z" opacity=".75"/><path d="M140 52h40v-8h-40z"/><path d="M204 80q30 2 24 36" fill="none" stroke-width="8" class="line"/>',
};

export function art({ kind, name, tone }: Product): string {
  const [back, front] = tones[tone] ?? ['#eee', '#666'];
  return `<svg viewBox="0 0 320 160" preserveAspectRatio="xMidYMid slice" role="img" aria-label="${name}"><rect width="320" height="160" fill="${back}"/><g fill="${front}" stroke="none">${shapes[kind].replace('class="line"', `stroke="${front}"`)}</g></svg>`;
}
