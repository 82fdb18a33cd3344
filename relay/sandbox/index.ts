/** `pay-checkout-relay/sandbox`: a simulated order service, for any fetch runtime. */
export { ConnectionCut, createSandbox, type Sandbox, type SandboxOptions } from './sandbox.js';
