/** A deliberate bug of the relay, and the invariant that must catch it. */
import type { Edit } from '../../mutants.js';
import type { InvariantName } from '../checker/invariant.js';
import type { Needs } from '../plan.js';

export type RelayMutant = {
  /** The invariant that the bug violates; the violation of another one does not count. */
  readonly caughtBy: InvariantName;
  /** What its worlds have more of, so that a few worlds of any seeds catch it. */
  readonly needs?: Needs;
  readonly edits: readonly Edit[];
};
