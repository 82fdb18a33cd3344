/** When a price changes before the customer presses Pay, only the shown price is charged. */
import { expect } from '@open-wc/testing';
import { memoryLedger } from '../../../../relay/ledger/memory-ledger.js';
import { createWorld, type World } from '../../support/world.js';
import { clear, stage, stageChoosing } from './stage.js';

const ledger = memoryLedger();
const priced = (amount: string, sandbox?: World['sandbox']): World =>
  createWorld({
    ledger,
    ...(sandbox && { sandbox }),
    config: { catalogue: { tee: { amount, currency: 'USD', product_name: 'T-shirt' } } },
  });

describe('a price that changes while the page is open', () => {
  afterEach(clear);

  it('places no order at a changed price, and shows the new price after a reload', async () => {
    const former = priced('19.90');
    const present = priced('29.90', former.sandbox);
    let world = former;
    const both = {
      ...former,
      relay: { ...former.relay, fetch: (request: Request) => world.relay.fetch(request) },
    };
    const { click, element, part, phase, text } = await stageChoosing(both, { sku: 'tee' });
    expect(part('amount')?.dataset.amount).to.equal('19.90');
    world = present;
    click('[data-action="pay"]');
    await phase('problem');
    expect(element.problem?.code).to.equal('not_as_expected');
    expect(present.pays()).to.deep.equal([]);
    expect(text()).to.include('Please reload it');
    // the customer reloads the page
    element.remove();
    const reloaded = await stageChoosing(both, { sku: 'tee' });
    expect(reloaded.part('amount')?.dataset.amount).to.equal('29.90');
    reloaded.click('[data-action="pay"]');
    await reloaded.phase('awaiting_payment');
    expect(reloaded.element.order?.amount).to.equal('29.90');
  });

  it('shows the new price before an order that failed is paid again', async () => {
    const former = priced('19.90');
    const present = priced('29.90', former.sandbox);
    const first = await stageChoosing(former, { sku: 'tee' });
    first.click('[data-action="pay"]');
    await first.phase('awaiting_payment');
    const placed = former.sandbox.orders.byRequest(first.element.order?.request_id ?? '');
    former.sandbox.orders.act(placed!, 'decline');
    first.element.remove();
    const later = stage(present, { sku: 'tee' });
    await later.phase('failed');
    later.click('[data-action="again"]');
    await later.phase('choosing');
    expect(later.part('amount')?.dataset.amount).to.equal('29.90');
    expect(present.pays().some(({ amount }) => amount === '29.90')).to.equal(false);
    later.click('[data-action="pay"]');
    await later.phase('awaiting_payment');
    expect(later.element.order?.amount).to.equal('29.90');
  });
});
