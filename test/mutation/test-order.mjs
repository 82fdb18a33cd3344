/** Orders the test files of a run: the quick ones first, since the first failure ends a mutant. */
import { BaseSequencer } from 'vitest/node';

const SLOW_FILES = /browser|time\.test|failure\.test|restored|close\.test|ledger|unpaid|lists/;

const rank = ({ moduleId }) => (SLOW_FILES.test(moduleId) ? 1 : 0);

export class QuickFirst extends BaseSequencer {
  async sort(files) {
    return [...files].sort(
      (one, other) => rank(one) - rank(other) || one.moduleId.localeCompare(other.moduleId),
    );
  }
}
