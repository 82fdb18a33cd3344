/** A problem that is shown to the customer. */
import type { FailureCode } from '../relay/contract/failure.js';

/**
 * The relay's failure codes and three codes of the widget. `relay_unreachable`: no answer.
 * `contract_mismatch`: this version cannot read the answer. `attributes_wrong`: the page set wrong
 * attributes.
 */
export type ProblemCode =
  FailureCode | 'relay_unreachable' | 'contract_mismatch' | 'attributes_wrong';

export type Problem = {
  code: ProblemCode;
  /** For the developer of the page; the customer reads a sentence that is chosen by `code`. */
  message: string;
  field?: string | undefined;
  /** For the operator of the relay. */
  reference?: string | undefined;
  /** Outcome of the order, when the token has expired or the intent takes no further order. */
  outcome?: string | undefined;
  /** What the shop tells the customer instead of the element's sentence, by locale. */
  notice?: Record<string, string> | undefined;
  /** Where the customer finds help. */
  support_url?: string | undefined;
};
