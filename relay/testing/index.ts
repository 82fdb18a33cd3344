/** `pay-checkout-relay/testing`: what a shop needs to test its checkout without an account. */
export { customerPhone, type CustomerPhone } from './customer-phone.js';
export { fakeEvent, TEST_SECRETS, type FakeEvent, type FakeEventOptions } from './fake-event.js';
export { payFixtures, type PayFixtures, type TestPage } from './fixtures.js';
export { startTestCheckout, type TestCheckout, type TestCheckoutOptions } from './test-checkout.js';
export { createSandbox, type Sandbox } from '../sandbox/sandbox.js';
