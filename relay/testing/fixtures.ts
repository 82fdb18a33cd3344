/**
 * Fixtures for Playwright's `test.extend`, which the package does not depend on:
 * `const test = base.extend(payFixtures({ sandbox: 'http://localhost:9000' }))`.
 */
import { customerPhone, type CustomerPhone } from './customer-phone.js';

type Located = {
  click(): Promise<void>;
  fill(value: string): Promise<void>;
  waitFor(): Promise<void>;
};
/** The part of Playwright's page that the fixtures use. */
export type TestPage = {
  locator(selector: string): Located;
  evaluate(expression: string): Promise<unknown>;
};

export type PayFixtures = {
  /**
   * Chooses an option of the page's `<pay-checkout>` and pays with it. Resolves when the customer
   * sees the code, the link or the message.
   *
   * @param customer the data that the option asks for, such as `{ phone: '+79990000000' }`
   */
  payWith(option: string, customer?: Readonly<Record<string, string>>): Promise<void>;
  /** The phone of this page's customer. */
  customerPhone: CustomerPhone;
};

type Fixture<Value> = (
  given: { page: TestPage },
  use: (value: Value) => Promise<void>,
) => Promise<void>;

const ELEMENT = 'pay-checkout';
/** With an order, the options have just replaced another screen: taps are ignored for 600 ms. */
const WAIT_UNTIL_TAPS_COUNT = `document.querySelector('${ELEMENT}').order &&
  new Promise((resolve) => setTimeout(resolve, 650))`;

export const payFixtures = ({
  sandbox,
}: {
  sandbox: string;
}): { [Name in keyof PayFixtures]: Fixture<PayFixtures[Name]> } => ({
  // Playwright parses the source of this parameter to find which fixtures it must pass
  payWith: async ({ page }, use) =>
    use(async (option, customer = {}) => {
      await page.locator(`${ELEMENT}[phase="choosing"]`).waitFor();
      await page.evaluate(WAIT_UNTIL_TAPS_COUNT);
      await page.locator(`${ELEMENT} [data-option="${option}"]`).click();
      for (const [field, value] of Object.entries(customer))
        await page.locator(`${ELEMENT} input[name="${field}"]`).fill(value);
      await page.locator(`${ELEMENT} [data-action="pay"]`).click();
      await page.locator(`${ELEMENT}[phase="awaiting_payment"]`).waitFor();
    }),
  customerPhone: async ({ page }, use) => use(customerPhone(sandbox, () => orderOf(page))),
});

/** @throws Error when the page shows no order */
async function orderOf(page: TestPage): Promise<string> {
  const id = await page.evaluate(`document.querySelector('${ELEMENT}')?.order?.request_id`);
  if (typeof id !== 'string') throw new Error('the page has no <pay-checkout> with an order');
  return id;
}
