/** `npm run floors` checks the imports of the relay and the widget, and counts files and lines. */
import { PAY, reach, violations } from './floors.js';
import { sourcesOf } from './sources.js';

const files = sourcesOf('relay', 'widget');
const product = [...files.values(), ...sourcesOf('demo').values()];
const lines = product.reduce((sum, source) => sum + source.split('\n').length - 1, 0);
const found = violations(files);
for (const line of found) console.error(line);
const needed = reach(files, PAY).size;
console.log(`floors: ${files.size} files, ${found.length} violations`);
console.log(`with the demo: ${product.length} files, ${lines} lines; a pay needs ${needed} files`);
process.exit(found.length === 0 ? 0 : 1);
