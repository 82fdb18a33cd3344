/**
 * The document's request fields, read strictly. The rules are independent of the client's code, so
 * that the sandbox does not share its mistakes.
 */

type Rule = {
  required?: boolean;
  amount?: boolean;
  oneOf?: readonly string[];
  length?: readonly [number, number];
  customer?: boolean;
};
type Body = Record<string, unknown>;
type Operation = { fields: Record<string, Rule>; requiredWhen?: (body: Body) => readonly string[] };

const required: Rule = { required: true };
const optional: Rule = {};
const amount: Rule = { required: true, amount: true };

const operationFields = {
  deposit_address: {
    fields: { currency: required, customer_ref_id: required, description: optional },
  },
  query: { fields: { request_id: required, order_no: optional } },
  withdraw: {
    fields: {
      request_id: required,
      currency: required,
      address: required,
      tag: optional,
      amount,
      notify_url: optional,
      customer_ref_id: required,
      description: optional,
    },
  },
  verifyDepositAddress: { fields: { currency: required, address: required, tag: optional } },
  pay: {
    fields: {
      request_id: required,
      payment_method: { required: true, oneOf: ['on_line', 'direct', 'on_chain'] },
      amount,
      currency: required,
      pay_currency: optional,
      product_name: required,
      remark: optional,
      return_url: optional,
      notify_url: optional,
      customer_ref_id: required,
      customer: { customer: true },
      payment_type: optional,
      payment_channel: optional,
    },
    requiredWhen: (body) =>
      body.payment_method === 'direct' ? ['payment_type', 'payment_channel'] : [],
  },
  payout: {
    fields: {
      request_id: required,
      payout_method: { required: true, oneOf: ['bank_transfer', 'wallet_transfer'] },
      account_type: { oneOf: ['PHONE', 'EMAIL', 'CPF', 'CNPJ'] },
      account_no: required,
      account_name: { required: true, length: [5, 100] },
      country: required,
      bank_code: optional,
      wallet_code: optional,
      settle_currency: required,
      amount,
      currency: required,
      remark: { length: [0, 40] },
      bank_routing_code: { length: [0, 100] },
      document_type: optional,
      document_id: optional,
      phone: required,
      email: required,
      notify_url: optional,
    },
    requiredWhen: (body) =>
      body.payout_method === 'wallet_transfer' ? ['account_type', 'wallet_code'] : ['bank_code'],
  },
} satisfies Record<string, Operation>;

export type OperationName = keyof typeof operationFields;
export const operationNames = Object.keys(operationFields) as OperationName[];
export const isOperation = (name: string): name is OperationName =>
  Object.hasOwn(operationFields, name);

/** @returns the fields as text, or the problem of the first wrong field */
export function readFields(
  name: OperationName,
  body: unknown,
): { wrong: string } | { fields: Readonly<Record<string, string>> } {
  const operation: Operation = operationFields[name];
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    return { wrong: 'the body is not a JSON object' };
  const request = body as Body;
  for (const field of Object.keys(request))
    if (!Object.hasOwn(operation.fields, field)) return { wrong: `${field}: unknown field` };
  const conditional = operation.requiredWhen?.(request) ?? [];
  const fields: Record<string, string> = {};
  for (const [field, rule] of Object.entries(operation.fields)) {
    const value = request[field];
    if (value === undefined) {
      if (rule.required || conditional.includes(field)) return { wrong: `${field}: required` };
      continue;
    }
    const wrong = check(value, rule, conditional.includes(field));
    if (wrong) return { wrong: `${field}: ${wrong}` };
    fields[field] = String(value);
  }
  return { fields };
}

function check(value: unknown, rule: Rule, conditional: boolean): string | null {
  if (typeof value !== 'string') return 'not a string';
  if ((rule.required || conditional) && value === '') return 'empty';
  if (rule.amount && !(/^\d{1,18}(\.\d{1,18})?$/.test(value) && /[1-9]/.test(value)))
    return 'not a decimal string above zero';
  if (rule.oneOf && !rule.oneOf.includes(value)) return `not one of ${rule.oneOf.join(', ')}`;
  if (rule.length && (value.length < rule.length[0] || value.length > rule.length[1]))
    return `length is not ${rule.length.join(' to ')}`;
  return rule.customer ? checkCustomer(value) : null;
}

function checkCustomer(json: string): string | null {
  try {
    const customer: unknown = JSON.parse(json);
    if (typeof customer !== 'object' || customer === null || Array.isArray(customer))
      return 'not a JSON string of an object';
    const odd = Object.entries(customer).find(
      ([key, value]) => !['email', 'phone', 'name'].includes(key) || typeof value !== 'string',
    );
    return odd ? `${odd[0]}: unknown or not a string` : null;
  } catch {
    return 'not a JSON string';
  }
}
