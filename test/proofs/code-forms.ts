/** Answers of a service with honest and wrong codes of every form, judged by the money rules. */
import type { CodeRules } from '../../relay/qrcode/check-code.js';
import type { OrderRow } from '../../relay/ledger/rows.js';
import { codeForms, drawCharge, type CodeForm } from '../suite/support/code-forms.js';
import type { Charge } from '../suite/support/merchant-codes.js';
import { fresh, rules, transition } from '../suite/relay/orders/fresh-order.js';
import type { Random } from './proof.js';

/** The order as it is written after the service answered with a code. */
function answered({ amount, currency }: Charge, qrcode_string: string, code: CodeRules): OrderRow {
  const order: OrderRow = { ...fresh, amount, currency, pay_currency: currency };
  const answer = { status: 11, qrcode_string };
  const using = { ...rules, codes: new Map([[order.option, code]]) };
  return transition(order, { type: 'pay_answered', at: 1, answer }, using).order;
}

const isShown = ({ next_action, outcome }: OrderRow): boolean =>
  next_action?.kind === 'scan_qr' && outcome === 'pending';
const isRefused = ({ next_action, outcome, review_reason }: OrderRow): boolean =>
  next_action === null && outcome === 'review' && review_reason === 'code_mismatch';

const LOOSE: CodeRules = { check: 'when_known', payees: [] };
const STRICT: CodeRules = { check: 'required', payees: [] };

export type FormCount = {
  form: string;
  /** Honest codes that were refused, and wrong ones that were shown. */
  honestRefused: number;
  wrongShown: number;
  ways: number;
  example: string;
};

/** @param codes how many honest codes, and how many wrong ones */
export async function countForm(name: string, codes: number, random: Random): Promise<FormCount> {
  const form = codeForms[name];
  if (!form) throw new Error(`no form ${name}`);
  const ways = ['another amount', ...Object.keys(form.tampering)];
  const count = { form: name, honestRefused: 0, wrongShown: 0, ways: ways.length, example: '' };
  for (let done = 0; done < codes; done++) {
    const charge = drawCharge(random, form);
    const honest = await form.honest(random, charge.amount);
    if (![LOOSE, STRICT].every((each) => isShown(answered(charge, honest, each)))) {
      count.honestRefused++;
      count.example ||= `honest for ${charge.amount} ${charge.currency}: ${honest}`;
    }
    const way = ways[done % ways.length] ?? '';
    const wrong = await wrongCode(form, way, random, charge.amount, honest);
    if (!isRefused(answered(charge, wrong, LOOSE))) {
      count.wrongShown++;
      count.example ||= `${way} for ${charge.amount} ${charge.currency}: ${wrong}`;
    }
  }
  return count;
}

function wrongCode(
  form: CodeForm,
  way: string,
  random: Random,
  amount: string,
  honest: string,
): string | Promise<string> {
  const tamper = form.tampering[way];
  return tamper ? tamper(random, honest, amount) : form.honest(random, `1${amount}`);
}

/** Texts that begin like no form. @returns how many of them are shown though a check is required */
export function countUnknown(codes: number, random: Random): number {
  let shown = 0;
  for (let done = 0; done < codes; done++) {
    const start = random.pick(['https://pay.example/', 'wechat://', 'lnurl1', '#', '', 'ST00012|']);
    const code = `${start}${random.text(1 + random.integer(200))}`;
    if (isShown(answered({ amount: '12.50', currency: 'RUB' }, code, STRICT))) shown++;
  }
  return shown;
}

export const formNames = Object.keys(codeForms);
