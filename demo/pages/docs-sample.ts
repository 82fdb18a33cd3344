/** The element on a page without a relay: its answers are samples of an order with a QR code. */
import '../../widget/define.js';
import { en } from '../../widget/texts/en.js';
import { elementIn } from '../element-in-state.js';
import { checkoutAnswer, sampleOrder } from '../sample-answers.js';

/** Replaces what is in the place. */
export function showSample(place: Element): void {
  const phase = 'awaiting_payment';
  const answer = (now: number) => checkoutAnswer({ livemode: false }, sampleOrder(now, {}));
  const texts = async (): Promise<Response> => Response.json({ locale: 'en', ...en });
  place.replaceChildren(elementIn({ phase, answer }, texts, { lang: 'en' }));
}
