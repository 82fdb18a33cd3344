/** The page of the console and its script. The page has no data: the script asks for it. */
import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import { pageHeaders } from '../http/page-headers.js';

const PAGE = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="robots" content="noindex" />
    <meta name="color-scheme" content="light dark" />
    <title>pay-checkout console</title>
    <link rel="icon" href="data:," />
    <script type="module" src="console/console.js"></script>
  </head>
  <body>
    <pay-console></pay-console>
    <noscript>The console needs JavaScript. The commands do the same.</noscript>
  </body>
</html>
`;

/** The icon of the page is empty, and stands in the page itself. */
export const consoleHeaders = { ...pageHeaders(['data:']), 'x-frame-options': 'DENY' };

export const consolePage = (): Response =>
  new Response(PAGE, {
    headers: { ...consoleHeaders, 'content-type': 'text/html; charset=utf-8' },
  });

/**
 * The script is read at its first request, because most relays never show the console.
 *
 * @param folder the folder of the built file
 */
export function consoleScript(folder: URL): (request: Request) => Response {
  let compressed: Buffer<ArrayBuffer> | undefined;
  return (request) => {
    try {
      compressed ??= readFileSync(new URL('console.js.br', folder));
    } catch {
      return new Response('the console was not built: run npm run build\n', { status: 503 });
    }
    const type = { 'content-type': 'text/javascript; charset=utf-8', vary: 'accept-encoding' };
    const headers = { ...consoleHeaders, ...type };
    // browsers take br on loopback and over TLS, and programs perhaps not
    if (/\bbr\b/.test(request.headers.get('accept-encoding') ?? ''))
      return new Response(compressed, { headers: { ...headers, 'content-encoding': 'br' } });
    return new Response(brotliDecompressSync(compressed), { headers });
  };
}
