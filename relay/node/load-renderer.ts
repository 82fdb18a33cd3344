/**
 * Loads the built renderer (widget/server/) at its first use: most relays never need it, and
 * loading takes a fraction of a second.
 */
import { existsSync } from 'node:fs';
import { Failure } from '../contract/failure.js';
import type { LoadRender, Renderer } from '../contract/render.js';
import { remember } from '../remember.js';
import type { Assets } from '../routes/assets.js';
import { stylesheetName } from './load-assets.js';

/**
 * @param script the built element, with the renderer beside it
 * @param assets the files that the relay serves: texts, and the renderer's style sheet
 */
export function rendererBeside(script: URL, assets: Assets): LoadRender {
  return remember(async () => {
    const file = new URL('pay-checkout-render.js', script);
    if (!existsSync(file))
      throw new Failure(
        'not_configured',
        'dist/pay-checkout-render.js is missing: run npm run build',
      );
    const { createRender, styles }: Renderer = await import(
      /* webpackIgnore: true */ /* @vite-ignore */ file.href
    );
    return createRender({
      stylesheet: stylesheetName(new TextEncoder().encode(styles)),
      read: (name) => {
        const asset = assets.get(name);
        return asset ? new TextDecoder().decode(asset.body) : null;
      },
    });
  });
}
