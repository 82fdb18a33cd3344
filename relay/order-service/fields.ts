/** Field schemas shared by the operations of the order service. */
import { z } from 'zod';

export const required = z.string().min(1);
export const optional = z.string().optional();
/** Differs from every request_id, currency and amount: none of them contains parentheses. */
const UNREADABLE = '(unreadable)';

const digitsOrText = (value: unknown): string | null =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : null;

/**
 * A value that the service echoes; its document does not show the form. Null counts as absent, and
 * a number as its digits. Anything else becomes `UNREADABLE`.
 */
export const echoed = z
  .unknown()
  .optional()
  .transform((value) =>
    value === undefined || value === null ? undefined : (digitsOrText(value) ?? UNREADABLE),
  );
/**
 * A code or link of an answer. The replacement character stands for bytes that are not UTF-8: the
 * code that it would be drawn as is not the service's.
 */
export const link = z
  .string()
  .regex(/^[^\uFFFD]*$/, 'not UTF-8')
  .nullish();
/** The service's number of an order. Anything but a text or a number counts as absent. */
export const orderNumber = z
  .unknown()
  .optional()
  .transform((value) => digitsOrText(value) ?? undefined);
/** Customer data, which the document requires as a JSON string. */
export const customerJson = z
  .strictObject({ email: z.string(), phone: z.string(), name: z.string() })
  .partial()
  .transform((customer) => JSON.stringify(customer))
  .optional();

type Conditions<T> = (body: T) => (keyof T & string)[];

/** Fields that another field makes required. */
export const requiredWhen =
  <T extends object>(conditions: Conditions<T>) =>
  (body: T, context: z.RefinementCtx<T>): void => {
    for (const field of conditions(body))
      if (body[field] === undefined || body[field] === '')
        context.addIssue({
          code: 'custom',
          path: [field],
          message: 'required here',
          input: body[field],
        });
  };
