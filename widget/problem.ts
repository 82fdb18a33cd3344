/**
 * What the customer reads when something does not work: the relay's codes, and three of the
 * widget's own.
 */
import type { FailureCode } from '../relay/contract/failure.js';

/**
 * `relay_unreachable`: no answer. `contract_mismatch`: an answer that this version cannot read.
 * `attributes_wrong`: the page's mistake.
 */
export type ProblemCode =
  FailureCode | 'relay_unreachable' | 'contract_mismatch' | 'attributes_wrong';

/**
 * `message` is for the developer, `reference` for the operator; the customer reads the sentence of
 * the code.
 */
export type Problem = {
  code: ProblemCode;
  message: string;
  field?: string | undefined;
  reference?: string | undefined;
  /** What became of the order of a token that expired. */
  outcome?: string | undefined;
};
