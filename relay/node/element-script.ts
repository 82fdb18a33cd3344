/** Finds the built script of the element. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * Beside the compiled relay, or in dist/ when run from source. A framework may have bundled the
 * relay into a file of its own: then the installed package has the script.
 */
export function elementScript(): URL {
  const beside = new URL(
    import.meta.url.endsWith('.ts') ? '../../dist/pay-checkout.js' : '../../pay-checkout.js',
    import.meta.url,
  );
  return existsSync(beside) ? beside : (installedScript() ?? beside);
}

function installedScript(): URL | null {
  try {
    const { resolve } = createRequire(join(process.cwd(), 'package.json'));
    const manifest = pathToFileURL(resolve('pay-checkout-relay/package.json'));
    return new URL('./dist/pay-checkout.js', manifest);
  } catch {
    return null;
  }
}
