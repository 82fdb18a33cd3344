/** Headers of the relay's own pages: they load nothing from elsewhere, and nobody frames them. */

/** Hash of the element's style element in older browsers (widget/browser/page-sheet.ts). */
const OLDER_STYLE = "'sha256-0hAheEzaMe6uXIKV4EehS9pu1am1lj/KnnzrOYqckXk='";

/** @param images more sources of pictures than the relay itself */
export const pageHeaders = (images: readonly string[] = []): Record<string, string> => ({
  'cache-control': 'no-store',
  'content-security-policy': [
    "default-src 'none'",
    ["img-src 'self'", ...images].join(' '),
    "script-src 'self'",
    `style-src 'self' ${OLDER_STYLE}`,
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
    "require-trusted-types-for 'script'",
    'trusted-types lit-html',
  ].join('; '),
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
});
