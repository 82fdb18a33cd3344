/** Forged events, accidents in the shop's code, and a shop that is set up wrongly. */
import { type Delivery } from '../events-proxy.js';
import {
  begin,
  paymentOf,
  problemIfWritten,
  problemUnlessAnswered,
  problemUnlessOnce,
  type Check,
} from './facts.js';
import { secretsOf } from './wordpress-server.js';
import { orderOf, type World } from './world.js';

const HOUR_MS = 3_600_000;
const OTHER_SECRET = `whsec_${Buffer.from('the secret of another shop').toString('base64')}`;

const forged: Check = {
  name: 'an event of another secret, an old one, a changed one and a long one write nothing',
  run: async (world) => {
    const { id } = await begin(world);
    const genuine = await paymentOf(id);
    const { headers } = genuine;
    const tried: readonly (readonly [number, Delivery])[] = [
      [401, await paymentOf(id, { secret: OTHER_SECRET })],
      [401, await paymentOf(id, { at: Date.now() - HOUR_MS })],
      [401, { headers, body: genuine.body.replace('USD', 'EUR') }],
      [401, { headers, body: `${genuine.body} ` }],
      [401, { headers: { ...headers, 'webhook-id': 'evt_other' }, body: genuine.body }],
      [401, { headers: {}, body: genuine.body }],
      [401, { headers: {}, body: '' }],
      // WordPress itself refuses what is no JSON
      [400, { headers, body: 'x'.repeat(1_000_000) }],
      [413, { headers, body: `"${'x'.repeat(1_000_000)}"` }],
      [413, { headers: {}, body: `{"a": "${'x'.repeat(1_000_000)}"}` }],
    ];
    for (const [status, event] of tried) {
      const problem =
        (await problemUnlessAnswered(world, status, event)) ??
        problemIfWritten(world, id, genuine.id);
      if (problem !== null) return problem;
    }
    const { status } = await fetch(world.site.hook);
    return status === 404 ? null : `GET is answered ${status}`;
  },
};

const otherAmount: Check = {
  name: 'an event with another amount than the order does not make it paid',
  run: async (world) => {
    const { id } = await begin(world);
    const event = await paymentOf(id, { amount: '0.01' });
    const problem = await problemUnlessAnswered(world, 204, event);
    const paid = world.sql(`select paid_at from shop_orders where jti = '${id}'`);
    return problem ?? (paid === 'NULL' ? null : `paid at ${paid}`);
  },
};

/** In each the shop has written before the accident. */
const accident = (what: string): Check => ({
  name: `an event is rolled back, and comes again, when the shop ${what}`,
  run: async (world) => {
    const { id } = await begin(world);
    const event = await paymentOf(id);
    await world.site.php(`update_option('accident', '${what}');`);
    const problem =
      (await problemUnlessAnswered(world, 500, event)) ?? problemIfWritten(world, id, event.id);
    await world.site.php("delete_option('accident');");
    return (
      problem ??
      (await problemUnlessAnswered(world, 204, event)) ??
      problemUnlessOnce(world, id, event.id)
    );
  },
});

const commits: Check = {
  name: 'an event comes again when the shop ends the transaction itself, and fails then',
  run: async (world) => {
    const { id } = await begin(world);
    const event = await paymentOf(id);
    await world.site.php("update_option('accident', 'commits and throws');");
    const problem = await problemUnlessAnswered(world, 500, event);
    await world.site.php("delete_option('accident');");
    const again = await problemUnlessAnswered(world, 204, event);
    const heard = world.sql(`select count(*) from heard where event_id = '${event.id}'`);
    return problem ?? again ?? (heard === '2' ? null : `the shop heard of it ${heard} times`);
  },
};

const META = `add_action('pay_checkout_event', function () {
  update_post_meta(1, 'paid', 'yes');
  if (get_post_meta(1, 'paid', true) === 'yes') throw new Exception('the shop failed');
});
try {
  PayCheckout\\WordPress\\handle_once('evt_meta', ['type' => '', 'data' => ['intent_id' => '']]);
} catch (Exception $error) {
  echo $error->getMessage(), ': ', json_encode(get_post_meta(1, 'paid', true));
}`;

const forgotten: Check = {
  name: 'what WordPress remembers of an event is forgotten when it is rolled back',
  run: async ({ site }) => {
    const told = await site.php(META);
    return told === 'the shop failed: ""' ? null : told;
  },
};

/** The event is refused while the shop is set up wrongly, and handled when that is mended. */
async function refusedWhile(
  world: World,
  wrong: (run: () => Promise<string | null>) => Promise<string | null>,
  notice: RegExp | null,
): Promise<string | null> {
  const { id } = await begin(world);
  const event = await paymentOf(id);
  const problem = await wrong(async () => {
    const refused = await problemUnlessAnswered(world, 500, event);
    if (refused !== null || notice === null) return refused;
    const { body } = await world.visit('/wp-admin/index.php', world.admin);
    return notice.test(body) ? null : `the dashboard does not say ${notice}`;
  });
  return (
    problem ??
    (await problemUnlessAnswered(world, 204, event)) ??
    problemUnlessOnce(world, id, event.id)
  );
}

const withoutSecrets: readonly Check[] = [
  ['order-token-key', 'PAY_CHECKOUT_ORDER_TOKEN_KEY'],
  ['secret-key', 'PAY_CHECKOUT_SECRET_KEY'],
  ['shop-events-secret', 'PAY_CHECKOUT_EVENTS_SECRET'],
].map(([file, name]) => ({
  name: `without its ${file} the shop answers 500, shows no element, and the dashboard says why`,
  run: (world) =>
    refusedWhile(
      world,
      (run) =>
        world.site.without(`secrets/${file}`, async () => {
          const { token } = await world.visit('/tee/');
          return token === null ? run() : 'the page shows an element';
        }),
      new RegExp(`pay-checkout: ${name} is missing or empty in wp-config.php`),
    ),
}));

const withoutAction: Check = {
  name: 'an event that no code of the shop handles is not acknowledged',
  run: (world) =>
    refusedWhile(world, (run) => world.site.without('site/wp-content/mu-plugins', run), null),
};

const unrecorded: Check = {
  name: 'a page whose order cannot be recorded shows no element',
  run: async (world) => {
    world.sql('rename table shop_orders to away');
    const { token } = await world.visit('/tee/');
    world.sql('rename table away to shop_orders');
    return token === null ? null : 'the page shows an element';
  },
};

const otherEngine: Check = {
  name: 'a table of handled events that is MyISAM is refused, and made as InnoDB',
  run: async (world) => {
    const engine = (name: string): string =>
      world.sql(`alter table wp_pay_checkout_events engine=${name}`);
    const problem = await refusedWhile(
      world,
      async (run) => {
        engine('MyISAM');
        const refused = await run();
        engine('InnoDB');
        return refused;
      },
      /pay-checkout: The table wp_pay_checkout_events must be an InnoDB table, and is a MyISAM/,
    );
    if (problem !== null) return problem;
    await world.site.deactivate();
    world.sql('rename table wp_pay_checkout_events to kept');
    world.sql('set global default_storage_engine = MyISAM');
    await world.site.activate();
    const made = world.sql(`select engine from information_schema.tables
      where table_name = 'wp_pay_checkout_events'`);
    world.sql('drop table wp_pay_checkout_events; rename table kept to wp_pay_checkout_events');
    world.sql('set global default_storage_engine = InnoDB');
    return made === 'InnoDB' ? null : made;
  },
};

const SCHEDULED = `echo count(array_filter(_get_cron_array(),
  fn ($due) => isset($due['pay_checkout_catch_up']))), wp_get_schedule('pay_checkout_catch_up');`;

const activation: Check = {
  name: 'the plugin can be activated twice, and leaves no task when it is deactivated',
  run: async (world) => {
    const { site } = world;
    const rows = (): string => world.sql('select count(*) from wp_pay_checkout_events');
    const before = rows();
    await site.activate();
    await site.php('PayCheckout\\WordPress\\activate();');
    const twice = await site.php(SCHEDULED);
    if (twice !== '1pay_checkout_minute') return `scheduled: ${twice}`;
    const { id } = await begin(world);
    const event = await paymentOf(id);
    await site.deactivate();
    const gone = await site.php(SCHEDULED);
    const inactive = await problemUnlessAnswered(world, 404, event);
    await site.activate();
    if (gone !== '0' || rows() !== before) return `after: ${gone}, ${rows()} of ${before} rows`;
    return (
      inactive ??
      (await problemUnlessAnswered(world, 204, event)) ??
      problemUnlessOnce(world, id, event.id)
    );
  },
};

const lateToken: Check = {
  name: 'a page that has begun shows no token, and a cookie of the wrong form is replaced',
  run: async (world) => {
    // the front page lists posts, and the theme sends its head first
    await world.site.php(`wp_insert_post(['post_status' => 'publish', 'post_title' => 'News',
      'post_content' => '[pay_checkout product="tee"]']);`);
    const front = await world.visit('/');
    if (front.token !== null) return 'the front page has a token';
    if (!world.site.output().includes('the page has begun')) return 'the log does not say why';
    const wrong = await world.visit('/tee/', "pay_checkout_visitor=x' or '1'='1");
    const array = await world.visit('/tee/', 'pay_checkout_visitor[]=a');
    const ids = [wrong, array].map(({ token }) => orderOf(token));
    const known = [wrong, array].every(({ cookie }) => /=[0-9a-f]{32}$/.test(cookie));
    return ids[0] !== ids[1] && known ? null : `${ids} ${wrong.cookie} ${array.cookie}`;
  },
};

const secrets: Check = {
  name: 'no secret is in a page, in the database or in the log',
  run: async (world) => {
    const options = world.sql('select option_name, option_value from wp_options');
    await world.visit('/wp-json/');
    await world.visit('/wp-admin/options.php', world.admin);
    const all = [...world.served, options, world.site.output()].join('\n');
    const shown = Object.entries(secretsOf(world.checkout)).filter(([, secret]) =>
      all.includes(secret),
    );
    if (!all.includes('<pay-checkout')) return 'no page was read';
    return shown.length === 0 ? null : shown.map(([name]) => name).join(', ');
  },
};

/** The last one reads what the others have left. */
export const attacks: readonly Check[] = [
  forged,
  otherAmount,
  ...['throws', 'exits', 'hides an error', 'loses its transaction', 'loses the connection'].map(
    accident,
  ),
  commits,
  forgotten,
  ...withoutSecrets,
  withoutAction,
  unrecorded,
  otherEngine,
  activation,
  lateToken,
  secrets,
];
