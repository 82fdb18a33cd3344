/** Answers of a service with honest and wrong codes of every form, judged by the money rules. */
import type { CodeRules } from '../../relay/qrcode/check-code.js';
import type { OrderRow } from '../../relay/ledger/rows.js';
import { currencyNumber } from '../../relay/qrcode/currency-number.js';
import type { CodeForm } from '../suite/support/code-form.js';
import { codeForms, drawCharge } from '../suite/support/code-forms.js';
import type { Charge } from '../suite/support/merchant-codes.js';
import { fresh, rules, transition } from '../suite/relay/orders/fresh-order.js';
import type { Random } from './proof.js';

/** The order as it is written after the service answered with a code. */
function answered(
  { amount, currency }: Charge,
  qrcode_string: string,
  code: CodeRules,
  payCurrency = currency,
): OrderRow {
  const order: OrderRow = { ...fresh, amount, currency, pay_currency: payCurrency };
  const answer = { status: 11, qrcode_string };
  const using = { ...rules, codes: new Map([[order.option, code]]) };
  return transition(order, { type: 'pay_answered', at: 1, answer }, using).order;
}

const isShown = ({ next_action, outcome }: OrderRow): boolean =>
  next_action?.kind === 'scan_qr' && outcome === 'pending';
const isReviewed = ({ next_action, outcome }: OrderRow): boolean =>
  next_action === null && outcome === 'review';
const isRefused = (order: OrderRow): boolean =>
  isReviewed(order) && order.review_reason === 'code_mismatch';
const paysStranger = (order: OrderRow): boolean =>
  isReviewed(order) && order.review_reason === 'payee_mismatch';

const LOOSE: CodeRules = { check: 'when_known', payees: [] };
const STRICT: CodeRules = { check: 'required', payees: [] };
/** A bank's code in any currency may be the way to a crypto asset. */
const EXCHANGED = 'another currency';
/** They are in no honest code. */
const OTHERS: CodeRules = { check: 'when_known', payees: ['Nobody', 'account:nobody'] };
const paying = (account: string): CodeRules => ({
  check: 'required',
  payees: ['Nobody', `account:${account}`],
});

/** The customer may pay in another currency than the order's: with a bank, or by a network. */
const otherPayCurrency = (currency: string): string =>
  /^[A-Z]{3}$/.test(currency) && currencyNumber(currency) ? 'USDT_TRC20' : `${currency}_MAIN`;

const accountIn = ({ account }: CodeForm, code: string): string | null => {
  const parts = account?.exec(code)?.slice(1);
  return parts ? decodeURIComponent(parts.filter(Boolean).join('/')) : null;
};

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
    const account = accountIn(form, honest);
    const own = [LOOSE, STRICT, ...(account === null ? [] : [paying(account)])];
    const payCurrency = otherPayCurrency(charge.currency);
    if (
      !own.every((each) => isShown(answered(charge, honest, each))) ||
      !isShown(answered(charge, honest, STRICT, payCurrency)) ||
      (account === null) !== isShown(answered(charge, honest, OTHERS))
    ) {
      count.honestRefused++;
      count.example ||= `honest for ${charge.amount} ${charge.currency}: ${honest}`;
    }
    const way = ways[done % ways.length] ?? '';
    const wrong = await wrongCode(form, way, random, charge.amount, honest);
    const stranger = account === null ? undefined : random.pick(form.strangers ?? ['']);
    const isPaid =
      stranger !== undefined &&
      !paysStranger(answered(charge, honest + stranger, stranger ? paying(account ?? '') : OTHERS));
    if (
      isPaid ||
      !isRefused(answered(charge, wrong, LOOSE)) ||
      (way !== EXCHANGED && !isRefused(answered(charge, wrong, LOOSE, payCurrency)))
    ) {
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
