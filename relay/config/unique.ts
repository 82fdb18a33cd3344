/** Refuses a list in which two entries have the same name. */
import type { z } from 'zod';

export const unique =
  <T>(name: keyof T & string) =>
  (rows: T[], context: z.RefinementCtx<T[]>): void => {
    rows.forEach((row, index) => {
      if (rows.findIndex((other) => other[name] === row[name]) < index)
        context.addIssue({
          code: 'custom',
          path: [index, name],
          message: `a value of ${name} that no other entry has`,
          input: row[name],
        });
    });
  };
