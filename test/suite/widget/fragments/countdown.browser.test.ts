/** The countdown to the deadline of an order. */
import { expect } from '@open-wc/testing';
import type { Order } from '../../../../relay/contract/order.js';
import { clock, secondsLeft, spokenSlot } from '../../../../widget/fragments/countdown.js';

describe('countdown', () => {
  const order = { expires_at: '2026-11-21T10:00:00.000Z' } as Order;
  const at = (text: string): number => Date.parse(`2026-11-21T${text}Z`);
  it('counts the seconds to an absolute deadline, and stops at zero', () => {
    expect(secondsLeft(order, at('09:59:00.400'))).to.equal(60);
    expect(secondsLeft(order, at('10:05:00'))).to.equal(0);
    expect(
      secondsLeft({ ...order, expires_at: undefined } as unknown as Order, at('09:00:00')),
    ).to.equal(null);
  });
  it('formats seconds as minutes and hours', () =>
    expect([clock(5), clock(400), clock(3661), clock(90_000)]).to.deep.equal([
      '00:05',
      '06:40',
      '01:01:01',
      '25:00:00',
    ]));
  it('announces the time every three minutes, then every minute, then every half minute', () => {
    const announced = Array.from({ length: 900 }, (_, left) => 900 - left).filter(
      (left) => spokenSlot(left) !== spokenSlot(left + 1),
    );
    expect(announced).to.deep.equal([900, 720, 540, 360, 300, 240, 180, 120, 60, 30]);
  });
});
