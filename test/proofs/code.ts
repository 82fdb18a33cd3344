/**
 * The service answers with QR codes of banks in six countries. The relay shows every honest code
 * with its payee, and no code that was tampered with. The money rules then judge codes of every
 * form that other programs wrote, and texts of no form under a required check.
 */
import { createRelay } from '../../relay/app.js';
import { parseConfig } from '../../relay/config/parse-config.js';
import { memoryLedger } from '../../relay/ledger/memory-ledger.js';
import {
  currencies,
  honestCode,
  tamperedCode,
  tamperings,
  type Charge,
  type MerchantCode,
} from '../suite/support/merchant-codes.js';
import { postRequest, readSecret, testConfig } from '../suite/support/world.js';
import { countForm, countUnknown, formNames } from './code-forms.js';
import {
  counts,
  createRandom,
  each,
  keepAlive,
  percentage,
  type Proof,
  type Random,
} from './proof.js';
import { findOrder } from '../suite/support/ledger-calls.js';

/** A world keeps every order in memory, so a long proof takes several. */
const CODES_PER_WORLD = 1000;

type Case = Charge & MerchantCode & { isHonest: boolean; way: string };

const config = parseConfig(
  {
    ...testConfig,
    service: { ...testConfig.service, timeout_ms: 20_000 },
    open_amount: Object.fromEntries(
      currencies.map((currency) => [currency, { min: '0.01', max: '999999999' }]),
    ),
  },
  readSecret,
);

function drawCase(random: Random, index: number): Case {
  const fraction = random.pick(['', '.00', '.5', '.50', '.07']);
  const charge: Charge = {
    amount: `${1 + random.integer(5_000_000)}${fraction}`,
    currency: random.pick(currencies),
  };
  if (index % 2 === 0)
    return { ...charge, ...honestCode(random, charge), isHonest: true, way: 'honest' };
  const way = tamperings[((index - 1) / 2) % tamperings.length] ?? '';
  const code = tamperedCode(random, charge, way);
  return { ...charge, code, payee: null, isHonest: false, way };
}

type Shown = {
  request_id: string;
  order_key: string;
  outcome: string;
  next_action: { qrcode_string?: string } | null;
  payee?: string;
};

type World = {
  /** Places an order for a case. */
  pay(drawn: Case): Promise<Shown>;
  /** Reads the order in the three ways of a page that comes back to it. */
  read(drawn: Case, order: Shown): Promise<Shown[]>;
  reviewReason(order: Shown): Promise<string | null | undefined>;
};

function createCodeWorld(): World {
  const codes = new Map<string, string>();
  const attempts = new Map<Case, string>();
  const ledger = memoryLedger();
  const relay = createRelay({
    config,
    ledger,
    send: async (_path, json) => {
      const { amount, currency, customer_ref_id, request_id } = JSON.parse(json) as Record<
        string,
        string
      >;
      const qrcode_string = codes.get(customer_ref_id ?? '');
      const echoes = { request_id, currency, order_amount: amount };
      const data = { ...echoes, status: 11, order_no: 'S1', qrcode_string };
      return { status: 200, text: JSON.stringify({ code: '200', message: 'ok', data }) };
    },
  });
  const ask = async (path: string, body: object): Promise<Shown> => {
    const response = await relay.fetch(postRequest(path, body));
    const answer = (await response.json()) as { order?: Shown };
    if (!answer.order) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.order;
  };
  const intentOf = (drawn: Case): Record<string, string> => {
    const attempt = attempts.get(drawn) ?? crypto.randomUUID();
    attempts.set(drawn, attempt);
    const { amount, currency } = drawn;
    return { attempt, amount, currency, product_name: 'A tree', customer_ref_id: attempt };
  };
  return {
    pay: (drawn) => {
      const intent = intentOf(drawn);
      const customer = `${config.guest_customer_prefix}${intent.customer_ref_id}`;
      codes.set(customer, drawn.code);
      return ask('/v1/pay', { ...intent, option: 'qr' });
    },
    read: (drawn, { order_key, request_id }) =>
      Promise.all([
        ask('/v1/checkout', intentOf(drawn)),
        ask('/v1/checkout', { resume: { request_id, order_key } }),
        ask('/v1/pay', { ...intentOf(drawn), option: 'qr' }),
      ]),
    reviewReason: async ({ request_id }) => (await findOrder(ledger, request_id))?.review_reason,
  };
}

export const code: Proof = {
  sizes: { codes: 10_000, seed: 1 },
  small: { codes: 600, seed: 1 },
  run: ({ codes = 0, seed = 1 }) =>
    keepAlive(async () => {
      const random = createRandom(seed);
      const count = { shown: 0, tamperedShown: 0, withoutReason: 0, wrongPayee: 0 };
      let example = '';
      const judge = (drawn: Case, order: Shown): boolean => {
        const isShown = order.next_action?.qrcode_string === drawn.code;
        const isRefused = order.outcome === 'review' && order.next_action === null;
        if (drawn.isHonest && (order.payee ?? null) !== drawn.payee) count.wrongPayee++;
        const isRight = drawn.isHonest ? isShown && order.outcome === 'pending' : isRefused;
        if (!isRight)
          example ||= `${drawn.way}: ${drawn.code} for ${drawn.amount} ${drawn.currency}`;
        return isRight;
      };
      const total = 2 * codes;
      for (let done = 0; done < total; done += CODES_PER_WORLD) {
        const world = createCodeWorld();
        const length = Math.min(CODES_PER_WORLD, total - done);
        // drawn in order, so that a seed gives the same codes again
        const cases = Array.from({ length }, (_, index) => drawCase(random, done + index));
        await each(length, 8, async (index) => {
          const drawn = cases[index];
          if (!drawn) return;
          const placed = await world.pay(drawn);
          const orders = [placed, ...(await world.read(drawn, placed))];
          const areRight = orders.map((order) => judge(drawn, order)).every(Boolean);
          if (drawn.isHonest && areRight) count.shown++;
          if (!drawn.isHonest && !areRight) count.tamperedShown++;
          if (drawn.isHonest) return;
          if ((await world.reviewReason(placed)) !== 'code_mismatch') count.withoutReason++;
        });
      }
      const forms = [];
      for (const name of formNames) forms.push(await countForm(name, codes, random));
      const unknownShown = countUnknown(codes, random);
      example ||= forms.find((form) => form.example !== '')?.example ?? '';
      const { shown, tamperedShown, withoutReason, wrongPayee } = count;
      const ofForms = forms.reduce((sum, form) => sum + form.honestRefused + form.wrongShown, 0);
      return {
        held:
          shown === codes &&
          tamperedShown + withoutReason + wrongPayee + ofForms + unknownShown === 0,
        sections: [
          {
            figures: [
              { name: 'honest codes shown', value: shown, of: codes },
              percentage('acceptance', shown, codes),
              { name: 'with another payee', value: wrongPayee },
            ],
          },
          {
            figures: [
              { name: `codes tampered with in ${tamperings.length} ways`, value: codes },
              ...counts({
                shown: tamperedShown,
                'without code_mismatch': withoutReason,
              }),
            ],
          },
          ...forms.map(({ form, honestRefused, ways, wrongShown }) => ({
            name: form,
            figures: counts({
              'honest codes': codes,
              refused: honestRefused,
              [`wrong in ${ways} ways`]: codes,
              shown: wrongShown,
            }),
          })),
          {
            figures: counts({
              'unknown forms under a required check': codes,
              shown: unknownShown,
            }),
          },
        ],
        example,
      };
    }),
};
