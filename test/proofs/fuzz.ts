/**
 * Random requests and random envelopes: the relay never crashes, leaves no unhandled rejection,
 * answers with documented codes only, and never records a success that the service did not report.
 */
import { fuzzEnvelopes } from './fuzz-envelopes.js';
import { fuzzRequests } from './fuzz-requests.js';
import {
  counts,
  createRandom,
  keepAlive,
  percentage,
  watchRejections,
  type Proof,
} from './proof.js';

export const fuzz: Proof = {
  sizes: { requests: 500_000, envelopes: 500_000, seed: 1 },
  small: { requests: 2000, envelopes: 2000, seed: 1 },
  run: (sizes) =>
    keepAlive(async () => {
      const rejections = watchRejections();
      const asked = await fuzzRequests(sizes.requests ?? 0, createRandom(sizes.seed ?? 1));
      const answered = await fuzzEnvelopes(
        sizes.envelopes ?? 0,
        createRandom((sizes.seed ?? 1) + 1),
      );
      rejections.stop();
      const crashes = [...asked.crashes, ...answered.crashes];
      const enough =
        asked.valid >= 0.2 * (sizes.requests ?? 0) &&
        answered.valid >= 0.2 * (sizes.envelopes ?? 0) &&
        // each rule had at least one case
        answered.succeeded > 0 &&
        answered.reviews > 0 &&
        answered.paidBeforeAnswer > 0;
      const example = crashes[0] ?? answered.invented[0];
      return {
        held:
          crashes.length === 0 &&
          answered.invented.length === 0 &&
          rejections.count() === 0 &&
          enough,
        sections: [
          {
            figures: [
              percentage('requests accepted', asked.valid, sizes.requests ?? 0),
              percentage('envelopes with documented data', answered.valid, sizes.envelopes ?? 0),
              ...counts({
                succeeded: answered.succeeded,
                'in review': answered.reviews,
                'of them paid before an answer': answered.paidBeforeAnswer,
              }),
            ],
          },
          {
            figures: counts({
              crashes: crashes.length,
              'successes or links invented': answered.invented.length,
              'unhandled rejections': rejections.count(),
            }),
          },
        ],
        example,
      };
    }),
};
