/**
 * Two series of 24 hours as bars: the last day, and the same day a week before behind it. The
 * figures are in a table beside it. No plotting library draws them: uPlot 1.6.32 has 19.8 kB
 * brotli, as much as the whole console, and draws on a canvas that neither print nor forced colours
 * reach; frappe-charts 1.6.2 has 16.3 kB and chartist 1.5.0 11.0 kB, which also need a style sheet.
 * Their scales and tooltips serve more than 24 bars.
 */
import { html, svg, type TemplateResult } from 'lit';

export type Bar = { readonly label: string; readonly now: number; readonly before: number };

const HEIGHT = 100;
const STEP = 40;
/** Hours between two labels. */
const LABEL_EVERY = 4;

export function bars(title: string, rows: readonly Bar[]): TemplateResult {
  const most = Math.max(1, ...rows.flatMap(({ before, now }) => [before, now]));
  const height = (value: number): number => (value / most) * HEIGHT;
  const bar = (name: string, x: number, width: number, value: number) =>
    svg`<rect
      class=${name}
      x=${x}
      y=${HEIGHT - height(value)}
      width=${width}
      height=${height(value)}
    ></rect>`;
  const labels = rows.filter((_, index) => index % LABEL_EVERY === 0);
  return html`<figure aria-hidden="true">
    <svg class="bars" viewBox="0 0 ${rows.length * STEP} ${HEIGHT}" preserveAspectRatio="none">
      ${rows.map(({ before, now }, index) => {
        const x = index * STEP;
        return [bar('before', x + 4, 32, before), bar('orders', x + 10, 20, now)];
      })}
    </svg>
    <div class="hours">${labels.map(({ label }) => html`<small>${label}</small>`)}</div>
    <figcaption>${title}: solid today, pale a week before. The highest bar is ${most}.</figcaption>
  </figure>`;
}
