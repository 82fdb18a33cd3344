/** relay/contract/begin-text.ts is built from widget/begin.ts. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { beginText } from './begin-text.js';

const written = new URL('../../../relay/contract/begin-text.ts', import.meta.url);

it('is what npm run contract writes from widget/begin.ts', async () =>
  assert.equal(readFileSync(written, 'utf8'), await beginText()));
