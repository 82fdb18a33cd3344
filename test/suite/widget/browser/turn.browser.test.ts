/** Eight elements on one page hold one request open, and each still learns of its payment. */
import { expect } from '@open-wc/testing';
import { createWorld, until, type World } from '../../support/world.js';
import { takeTurn } from '../../../../widget/browser/turn.js';
import { clear, open, stageAwaiting, type Stage } from '../pay-checkout/stage.js';

type Body = { request_id: string; wait?: number };

/** Replaces the fetch of a staged element, and notes its held requests while they are open. */
function watch({ element }: Stage, held: Set<object>, asked: Body[]): void {
  const send = element.fetch ?? fetch;
  element.fetch = async (url, init) => {
    const body = JSON.parse(init.body as string) as Body;
    if (url.endsWith('/v1/query')) asked.push(body);
    const call = { body };
    if (body.wait) held.add(call);
    const end = (): boolean => held.delete(call);
    init.signal?.addEventListener('abort', end);
    return send(url, init).finally(end);
  };
}

const request = ({ element }: Stage): string => element.order!.request_id;

function pay(world: World, stage: Stage): void {
  const order = world.sandbox.orders.all().find(({ request_id }) => request_id === request(stage));
  world.sandbox.orders.act(order!, 'confirm');
}

describe('the turn to hold a request', () => {
  afterEach(clear);

  it('belongs to the newest of eight elements, and passes on when its order is paid', async () => {
    const world = createWorld();
    const held = new Set<object>();
    const asked: Body[] = [];
    const stages: Stage[] = [];
    for (let number = 1; number <= 8; number++) {
      const staged = await stageAwaiting(world, { ...open, amount: `${number}.00` });
      stages.push(staged);
    }
    // the elements ask with the watched fetch when they start to follow their orders again
    for (const staged of stages) {
      staged.element.remove();
      watch(staged, held, asked);
    }
    await new Promise((resolve) => setTimeout(resolve));
    for (const staged of stages) {
      document.body.append(staged.element);
      await staged.phase('awaiting_payment');
    }
    const newest = stages.at(-1)!;
    const holders = (): string[] =>
      [...held].map((call) => (call as { body: Body }).body.request_id);
    await until(
      () => held.size === 1 && holders()[0] === request(newest),
      'one held request, of the newest element',
    );
    await until(
      () => new Set(asked.filter(({ wait }) => !wait).map((each) => each.request_id)).size >= 7,
      'the seven others ask without a wait',
    );
    pay(world, newest);
    await newest.phase('succeeded');
    await until(() => held.size === 1, 'another element holds a request');
    expect(holders()[0]).not.to.equal(request(newest));
  });

  it('is taken by a newer element, and comes back when that one has ended', async () => {
    const seen: string[] = [];
    const first = new AbortController();
    const second = new AbortController();
    takeTurn(first.signal, (mine) => seen.push(`first ${mine}`));
    await until(() => seen.length === 1, 'the first turn');
    takeTurn(second.signal, (mine) => seen.push(`second ${mine}`));
    await until(() => seen.length === 3, 'the second turn');
    second.abort();
    await until(() => seen.length === 4, 'the turn comes back');
    first.abort();
    expect(seen[0]).to.equal('first true');
    expect(seen.slice(1, 3).sort()).to.deep.equal(['first false', 'second true']);
    expect(seen[3]).to.equal('first true');
  });
});
