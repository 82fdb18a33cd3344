/** The JSON Schema of what each command of an operator prints with `--json`. */
import { z } from 'zod';
import { outputs } from '../../../relay/operator/shapes.js';

export const operatorOutputs = (): Record<string, unknown> => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  description: 'What `pay-checkout-relay COMMAND --json` prints, by its command.',
  $defs: Object.fromEntries(
    Object.entries(outputs).map(([command, shape]) => {
      const { $schema: _draft, ...schema } = z.toJSONSchema(shape);
      return [command, schema];
    }),
  ),
});
