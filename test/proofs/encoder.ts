/** The encoder of QR codes makes the same modules as the library `qrcode`, in each version. */
import { sameVersion } from '../suite/support/same-qr-code.js';
import { counts, createRandom, type Proof } from './proof.js';

const LEVELS = { L: 2953, M: 2331 } as const;
const VERSIONS = 80;

export const encoder: Proof = {
  sizes: { payloads: 100_000, seed: 1 },
  small: { payloads: 1000, seed: 1 },
  run: async ({ payloads = 0, seed = 1 }) => {
    const random = createRandom(seed);
    const versions = new Set<string>();
    let differing = 0;
    let example = '';
    for (let done = 0; done < payloads; done++) {
      const level = done % 2 === 0 ? 'L' : 'M';
      // more small codes than large ones, which take longer
      const length = Math.floor(LEVELS[level] * random.next() ** 1.5) + 1;
      const bytes = Uint8Array.from({ length }, () => random.integer(256));
      const version = sameVersion(bytes, level);
      if (version === null) differing++;
      else versions.add(`${level}${version}`);
      if (version === null) example ||= `${level}: ${[...bytes].join()}`;
    }
    return {
      held: differing === 0 && versions.size === VERSIONS,
      sections: [
        {
          figures: [
            ...counts({ payloads, 'with another module': differing }),
            { name: 'versions and levels', value: versions.size, of: VERSIONS },
          ],
        },
      ],
      example,
    };
  },
};
