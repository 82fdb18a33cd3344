/** Requests to Vendure's Shop API and Admin API. */
import { z } from 'zod';

const TIMEOUT_MS = 60_000;
const TOKEN_HEADER = 'vendure-auth-token';

const answered = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(z.object({ message: z.string() })).optional(),
});

/** Sends a query with its variables, and reads the answer to its one field. */
export type Api = <T>(query: string, field: z.ZodType<T>, variables?: object) => Promise<T>;

/**
 * @param url of one of the two APIs
 * @returns a function whose requests are one session
 */
export function createApi(url: string): Api {
  let token: string | null = null;
  return async (query, field, variables = {}) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        ...(token !== null && { authorization: `Bearer ${token}` }),
      },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      body: JSON.stringify({ query, variables }),
    });
    token = response.headers.get(TOKEN_HEADER) ?? token;
    const { data, errors } = answered.parse(await response.json());
    if (errors) throw new Error(`${query}: ${errors.map(({ message }) => message).join(', ')}`);
    return field.parse(Object.values(data ?? {})[0]);
  };
}

const ORDER = 'fragment O on Order { id code state totalWithTax payments { state metadata } }';
const order = z.object({
  id: z.string(),
  code: z.string(),
  state: z.string(),
  payments: z.array(
    z.object({
      state: z.string(),
      metadata: z.object({ public: z.object({ order_token: z.string() }) }).nullable(),
    }),
  ),
});
export type ShopOrder = z.infer<typeof order>;
const refusal = z.object({ message: z.string() });
/** An order, or why Vendure does not do what was asked. */
const result = z.union([order, refusal]);

export type Customer = {
  /** Puts lamps into a new order, and goes to the payment. */
  arrangePayment(lamps?: number): Promise<ShopOrder>;
  /** @returns the order token of a new payment, or why Vendure refuses it */
  startPayment(metadata?: object): Promise<{ token: string } | { refusal: string }>;
  /** @returns why Vendure refuses the state, null when the order has it */
  goTo(state: string): Promise<string | null>;
  addLamp(): Promise<void>;
};

/** A customer with a session of their own. */
export function createCustomer(shop: string, email: string): Customer {
  const api = createApi(shop);
  const addLamps = (quantity: number) =>
    api(
      `mutation($n: Int!) { addItemToOrder(productVariantId: "1", quantity: $n)
        { ...O ... on ErrorResult { message } } } ${ORDER}`,
      order,
      { n: quantity },
    );
  const goTo = (state: string) =>
    api(
      `mutation($state: String!) { transitionOrderToState(state: $state)
        { ...O ... on OrderStateTransitionError { message transitionError } } } ${ORDER}`,
      z.union([order, refusal.extend({ transitionError: z.string() })]),
      { state },
    );
  return {
    addLamp: async () => void (await addLamps(1)),
    arrangePayment: async (lamps = 1) => {
      await addLamps(lamps);
      await api(
        `mutation($email: String!) { setCustomerForOrder(input:
          { emailAddress: $email, firstName: "A", lastName: "Customer" })
          { ...O ... on ErrorResult { message } } } ${ORDER}`,
        order,
        { email },
      );
      await api(
        `mutation { setOrderShippingAddress(input:
          { streetLine1: "Street 2", countryCode: "US" })
          { ...O ... on ErrorResult { message } } } ${ORDER}`,
        order,
      );
      const [method] = await api(
        '{ eligibleShippingMethods { id } }',
        z.array(z.object({ id: z.string() })),
      );
      await api(
        `mutation($id: [ID!]!) { setOrderShippingMethod(shippingMethodId: $id)
          { ...O ... on ErrorResult { message } } } ${ORDER}`,
        order,
        { id: [method?.id] },
      );
      return order.parse(await goTo('ArrangingPayment'));
    },
    startPayment: async (metadata = {}) => {
      const found = await api(
        `mutation($metadata: JSON!) { addPaymentToOrder(input:
          { method: "pay-checkout", metadata: $metadata })
          { ...O ... on ErrorResult { message } } } ${ORDER}`,
        result,
        { metadata },
      );
      if ('message' in found) return { refusal: found.message };
      const open = found.payments.find(({ state }) => state === 'AwaitingCustomer');
      return { token: open?.metadata?.public.order_token ?? '' };
    },
    goTo: async (state) => {
      const found = await goTo(state);
      return 'transitionError' in found ? found.transitionError : null;
    },
  };
}

/** What an administrator sees of an order. */
const facts = z.object({
  state: z.string(),
  orderPlacedAt: z.string().nullable(),
  payments: z.array(
    z.object({ state: z.string(), transactionId: z.string().nullable(), amount: z.number() }),
  ),
  history: z.object({
    items: z.array(z.object({ data: z.object({ to: z.string() }) })),
  }),
});
export type OrderFacts = z.infer<typeof facts>;

/** @returns a function that reads an order by its id */
export async function createAdmin(
  url: string,
  password: string,
): Promise<(id: string) => Promise<OrderFacts>> {
  const api = createApi(url);
  await api(
    `mutation($password: String!) { login(username: "admin", password: $password)
      { __typename } }`,
    z.object({ __typename: z.literal('CurrentUser') }),
    { password },
  );
  return (id) =>
    api(
      `query($id: ID!) { order(id: $id) { state orderPlacedAt
        payments { state transactionId amount }
        history(options: { filter: { type: { eq: "ORDER_STATE_TRANSITION" } } })
          { items { ... on HistoryEntry { data } } } } }`,
      facts,
      { id },
    );
}
