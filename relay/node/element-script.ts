/** Finds the built script of the element. */
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The script is beside the compiled relay, or in dist/ when the relay runs from source. When a
 * framework has bundled the relay into another file, the script of the installed package is used.
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
