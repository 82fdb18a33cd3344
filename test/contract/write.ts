/** `npm run contract` rewrites the snapshot of the public contract after an intended change. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { publicContract } from './public-contract.js';

const file = fileURLToPath(new URL('public-contract.json', import.meta.url));
writeFileSync(file, `${JSON.stringify(await publicContract(), null, 2)}\n`);
