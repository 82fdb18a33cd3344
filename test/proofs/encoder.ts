/** The encoder of QR codes makes the same modules as the library `qrcode`, in each version. */
import { sameVersion } from '../suite/support/same-qr-code.js';
import { counts, createRandom, type Proof } from './proof.js';

const MAX_BYTES = 2431;
/** 1 to 26 at level M; 22, and 24 to 36, at level L. */
const VERSIONS = 40;

export const encoder: Proof = {
  sizes: { payloads: 100_000, seed: 1 },
  small: { payloads: 1000, seed: 1 },
  run: async ({ payloads = 0, seed = 1 }) => {
    const random = createRandom(seed);
    const versions = new Set<string>();
    let differing = 0;
    let example = '';
    for (let done = 0; done < payloads; done++) {
      // more small codes than large ones, which take longer
      const length = Math.floor(MAX_BYTES * random.next() ** 1.5) + 1;
      const bytes = Uint8Array.from({ length }, () => random.integer(256));
      const version = sameVersion(bytes);
      if (version === null) differing++;
      else versions.add(version);
      if (version === null) example ||= [...bytes].join();
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
