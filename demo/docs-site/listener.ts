/** Serves the site beside the shop's development server. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { BASE } from './files.js';
import { answer, createSite, type Site } from './site.js';

/** The sources of the script and the style sheet, which vite compiles for each request. */
const ASSETS = { script: '/pages/docs.ts', style: '/style/docs.css', shop: true };

/** @returns a listener for a mount point whose path the server has removed from `url` */
export function docsListener(): (request: IncomingMessage, response: ServerResponse) => void {
  let site: Site | undefined;
  return ({ originalUrl, url = '/' }: IncomingMessage & { originalUrl?: string }, response) => {
    if (originalUrl === BASE.slice(0, -1)) {
      response.writeHead(302, { location: BASE }).end();
      return;
    }
    const path = url.replace(/[?#].*/, '').slice(1);
    const found = answer((site ??= createSite()), BASE + path, ASSETS);
    response
      .writeHead(found ? 200 : 404, { 'content-type': found?.type ?? 'text/plain' })
      .end(found?.body ?? 'not found');
  };
}
