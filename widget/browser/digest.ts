/**
 * A 128-bit name for a text, so that storage keys are not readable. It is not SHA-256: Web Crypto
 * is asynchronous and missing on pages without HTTPS. As with any digest, whoever guesses the whole
 * text can verify the guess.
 */
export const digest = (text: string): string =>
  [0x9e3779b1, 0x85ebca77, 0xc2b2ae3d, 0x27d4eb2f]
    .map((factor) => {
      let hash = factor;
      for (let index = 0; index < text.length; index++) {
        hash = Math.imul(hash ^ text.charCodeAt(index), factor);
        hash ^= hash >>> 15;
      }
      return (hash >>> 0).toString(16).padStart(8, '0');
    })
    .join('');
