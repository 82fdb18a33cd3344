/** Checks the options that the shop's backend lists for a sale. */
import type { Config } from '../config/schema.js';
import { Failure } from '../contract/failure.js';

/**
 * Tells the shop's backend of an unknown option. Its customer would read that no way to pay fits.
 *
 * @throws Failure `option_unknown`
 */
export function checkListedOptions(
  config: Pick<Config, 'options'>,
  { options = [] }: { readonly options?: readonly string[] | undefined },
): void {
  const unknown = options.find((listed) => !config.options.some(({ id }) => id === listed));
  if (unknown === undefined) return;
  throw new Failure(
    'option_unknown',
    `options: no payment option is called “${unknown}”`,
    'options',
  );
}
