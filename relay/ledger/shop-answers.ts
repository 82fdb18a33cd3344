/** What the shop answered to the tries to deliver an event: the last ones, as JSON in its row. */
import { z } from 'zod';

/** Two whole series of tries. */
const MAX_ANSWERS = 20;

const shopAnswer = z.object({
  at: z.int(),
  /** Such as `HTTP 204`, or why there was no answer, such as `ECONNREFUSED`. */
  answer: z.string(),
  delivered: z.boolean(),
});
export type ShopAnswer = Readonly<z.infer<typeof shopAnswer>>;

export const readAnswers = (text: string): ShopAnswer[] =>
  z.array(shopAnswer).parse(JSON.parse(text));

/** @param before as an event's row has it */
export const withAnswer = (before: string, answer: ShopAnswer): string =>
  JSON.stringify([...readAnswers(before), answer].slice(-MAX_ANSWERS));
