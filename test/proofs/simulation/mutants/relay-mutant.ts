/** A deliberate bug of the relay, and the invariant that must catch it. */
import type { Edit } from '../../mutants.js';
import type { InvariantName } from '../checker/invariant.js';

export type RelayMutant = {
  /** The invariant that the bug violates; the violation of another one does not count. */
  readonly caughtBy: InvariantName;
  /**
   * The seed of a world that has caught it; `--mutants` tries this world first. When the simulation
   * or the relay changes, this world may change too; then other worlds run.
   */
  readonly seed: number;
  readonly edits: readonly Edit[];
};
