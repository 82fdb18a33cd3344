/**
 * A name for a text that nobody can read back: 128 bits, whatever the length. Not SHA-256, which
 * pages without https do not have, and which would make every look into the storage wait.
 * Whoever guesses the whole text can check the guess, as with any digest.
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
