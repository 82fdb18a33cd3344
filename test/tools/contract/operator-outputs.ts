/** The JSON Schema of what each command of an operator prints with `--json`. */
import { outputs } from '../../../relay/operator/shapes.js';
import { jsonSchemaOf } from './reference.js';

export const operatorOutputs = (): Record<string, unknown> => ({
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  description: 'What `pay-checkout-relay COMMAND --json` prints, by its command.',
  $defs: Object.fromEntries(
    Object.entries(outputs).map(([command, shape]) => [command, jsonSchemaOf(shape, 'output')]),
  ),
});
