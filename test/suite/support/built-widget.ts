/** The built element in `dist`, which a relay serves. */
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/**
 * Set by `npm test`, which builds once before its stages: two builds at the same time would write
 * into the files that other tests serve.
 */
export const BUILT_ALREADY = 'WIDGET_BUILT_ALREADY';

export function buildWidget(): void {
  if (process.env[BUILT_ALREADY] !== undefined) return;
  const cwd = fileURLToPath(new URL('../../..', import.meta.url));
  execFileSync('npm', ['run', '--silent', 'build:widget'], { cwd, stdio: 'inherit' });
}
