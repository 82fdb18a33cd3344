/** The shop of the runtime's quick start, with the packed packages. */
import { servers } from '../../tools/contract/quick-start-servers.js';
import { describeQuickStart } from '../../tools/docs/quick-start-shop.js';
import { here, runtimes } from './runtimes.js';
import { runtimeName } from './world.js';

/** The page whose shop runs on Node.js with the packages that are installed here. */
const name = runtimeName === 'node' ? 'hono' : runtimeName;
const runtime = runtimes[runtimeName];
const server = servers[name];
if (!runtime || !server) throw new Error(`no quick start of ${runtimeName}`);
// the page names the runtime and the file
const [, ...flags] = server.run.split(' ').slice(0, -1);

describeQuickStart({
  name,
  above: here,
  relayCommand: [process.execPath, `${here}node_modules/.bin/pay-checkout-relay`],
  runner: [runtime.program, ...flags],
});
