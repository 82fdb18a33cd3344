/** A status of the order service: an integer of 32 bits. */
import { z } from 'zod';

/** How the service writes a status: as a number, or as its digits. */
export const statusNumber = z.union([
  z.int32(),
  z
    .string()
    .regex(/^-?\d{1,10}$/)
    .transform(Number)
    .pipe(z.int32()),
]);

const error = 'a status in digits, without leading zeros';

/** A key of the configuration's `statuses`: every status that is read, in its one spelling. */
export const statusKey = z
  .string()
  .regex(/^(0|-?[1-9]\d{0,9})$/, { error })
  .refine((digits) => statusNumber.safeParse(digits).success, { error });
