/** Checks of fields that depend on each other. */
import type { z } from 'zod';

/** @returns a function that refuses the field at a path */
export const refuser =
  (context: z.RefinementCtx) =>
  (path: (string | number)[], message: string): void =>
    context.addIssue({ code: 'custom', path, message });

/** Refuses a list in which two entries have the same name. */
export const unique =
  <T>(name: keyof T & string) =>
  (rows: T[], context: z.RefinementCtx<T[]>): void =>
    rows.forEach((row, index) => {
      if (rows.findIndex((other) => other[name] === row[name]) < index)
        refuser(context)([index, name], `a value of ${name} that no other entry has`);
    });
