/**
 * `pay-checkout-relay mcp`: lets an agent read the documentation of this version and, with a
 * configuration, the orders.
 */
import { createInterface } from 'node:readline';
import { bindVerbs, type VerbDeps } from '../operator/verbs.js';
import { readFlags, TEXT, type Command } from './arguments.js';
import { readDocsPages } from './docs-pages.js';
import { ledgerTools, type DataTool } from './mcp-ledger.js';
import { createMcpServer } from './mcp-server.js';
import { closeDeps, withReading } from './operator-context.js';
import { version } from './version.js';

const usage = `usage: pay-checkout-relay mcp [--config FILE]
Serves the documentation of this version to an agent, by the Model Context Protocol on stdin and
stdout, until stdin ends. With --config also the orders, events, ways to pay and pay links of the
ledger, as the console shows them. It shows no secret, changes nothing and does not ask the order
service.`;

async function serve(dataTools: readonly DataTool[]): Promise<void> {
  const server = createMcpServer({ dataTools, pages: readDocsPages(), version: version() });
  for await (const line of createInterface({ input: process.stdin })) {
    const answer = line.trim() === '' ? null : await server.answer(line);
    if (answer !== null) process.stdout.write(`${answer}\n`);
  }
}

/** @throws UsageError, or Error when documentation, configuration or ledger cannot be read */
async function run(args: string[]): Promise<void> {
  const { config } = readFlags(args, { config: TEXT }, usage);
  if (typeof config !== 'string') return serve([]);
  await withReading(config, (context) => {
    // none of its verbs asks the service, or writes
    const inBudget: VerbDeps['inBudget'] = (_order, send) => send();
    return serve(ledgerTools(bindVerbs({ ...closeDeps(context), context, inBudget })));
  });
}

export const mcp: Command = { usage, run };
