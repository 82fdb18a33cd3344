/**
 * `pay-checkout-relay mcp`: lets an agent read the documentation of this version and, with a
 * configuration, the orders.
 */
import { createInterface } from 'node:readline';
import { z } from 'zod';
import { verbNamed, type VerbDeps } from '../operator/verbs.js';
import { readFlags, TEXT, type Command } from './arguments.js';
import { readDocsPages } from './docs-pages.js';
import { createMcpServer, type DataTool } from './mcp-server.js';
import { closeDeps, withService } from './operator-context.js';
import { version } from './version.js';

const usage = `usage: pay-checkout-relay mcp [--config FILE]
Serves the documentation of this version to an agent, by the Model Context Protocol on stdin and
stdout, until stdin ends. With --config also the orders, events, ways to pay and pay links of the
ledger, as the console shows them. It shows no secret, changes nothing and does not ask the order
service.`;

/** Verbs that ask the service, change something or give a customer's rights are left out. */
const DESCRIPTIONS = {
  'orders/find': 'Finds orders by an identifier, its first six characters, or the URL of a link.',
  'orders/list': 'Lists orders by time, outcome, option and currency, with sums.',
  'orders/show': 'Shows one purchase with its orders and what happened to it.',
  'events/list': 'Lists the events for the shop and their delivery.',
  'options/list': 'Lists the ways to pay, and who switched one off.',
  'links/list': 'Lists pay links.',
  today: 'Says what sold in the last 24 hours and in the same hours a week before.',
  todo: 'Lists what waits for a person, with what to do.',
  configuration: 'Shows the configuration without its secrets, and what is wrong with it.',
} as const;

/** The tools of `mcp --config FILE`: the verbs of an operator that only read the ledger. */
export const ledgerTools = (deps: VerbDeps): DataTool[] =>
  Object.entries(DESCRIPTIONS).flatMap(([name, description]) => {
    const verb = verbNamed(name);
    if (!verb) return [];
    return {
      // clients take letters, digits and _ in the name of a tool
      name: name.replace('/', '_'),
      description,
      inputSchema: z.toJSONSchema(verb.input, { io: 'input' }),
      run: async (given) => {
        // no time passes in the process while its machine sleeps
        await deps.context.ledgerClock.read();
        return verb.run(deps, given, 'mcp');
      },
    };
  });

async function serve(dataTools: readonly DataTool[]): Promise<void> {
  const answerTo = createMcpServer({ dataTools, pages: readDocsPages(), version: version() });
  for await (const line of createInterface({ input: process.stdin })) {
    const answer = line.trim() === '' ? null : await answerTo(line);
    if (answer !== null) process.stdout.write(`${answer}\n`);
  }
}

/** @throws UsageError, or Error when documentation, configuration or ledger cannot be read */
async function run(args: string[]): Promise<void> {
  const { config } = readFlags(args, { config: TEXT }, usage);
  if (config === undefined) return serve([]);
  await withService(config, 'reads', (context) => serve(ledgerTools(closeDeps(context))));
}

export const mcp: Command = { usage, run };
