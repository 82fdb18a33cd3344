/** `npm run size` prints the sizes of what a page loads, and fails when one is above its budget. */
import { readSizes } from './sizes.js';

for (const size of await readSizes()) {
  const { brotli, budget, compression, gzip, name, raw } = size;
  console.log(
    `${name}  raw ${raw}  gzip ${gzip}  brotli ${brotli}  budget ${budget} ${compression}`,
  );
  if (size[compression] <= budget) continue;
  console.error(`size: ${size[compression] - budget} bytes above the budget`);
  process.exitCode = 1;
}
