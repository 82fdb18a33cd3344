/** A deliberate bug of the relay, and the invariant that must catch it. */
import type { Edit } from '../../proofs/mutants.js';
import type { InvariantName } from '../checker/invariant.js';

export type RelayMutant = {
  /** The invariant that the bug violates; the violation of another one does not count. */
  readonly caughtBy: InvariantName;
  readonly edits: readonly Edit[];
};
