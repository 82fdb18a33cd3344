/** The JSON Schema of the configuration as it is written in the file, with all defaults. */
import { z } from 'zod';
import { configSchema } from '../../../relay/config/schema.js';

export const configJsonSchema = (): Record<string, unknown> =>
  z.toJSONSchema(
    configSchema(() => undefined),
    {
      io: 'input',
      unrepresentable: 'any',
      // zod leaves out the default of a field that it transforms or checks further
      override: ({ jsonSchema, zodSchema: { _zod: field } }) => {
        if (field.def.type === 'default') jsonSchema.default = field.def.defaultValue;
      },
    },
  );
