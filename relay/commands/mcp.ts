/** `pay-checkout-relay mcp`: lets a coding agent read the documentation of this version. */
import { createInterface } from 'node:readline';
import { readFlags, type Command } from './arguments.js';
import { readDocsPages } from './docs-pages.js';
import { createMcpServer } from './mcp-server.js';
import { version } from './version.js';

const usage = `usage: pay-checkout-relay mcp
Serves the documentation of this version to a coding agent, by the Model Context Protocol on stdin
and stdout, until stdin ends. It reads no order, no configuration and no secret.`;

/** @throws UsageError, or Error when the documentation is missing */
async function run(args: string[]): Promise<void> {
  readFlags(args, {}, usage);
  const server = createMcpServer({ pages: readDocsPages(), version: version() });
  for await (const line of createInterface({ input: process.stdin })) {
    const answer = line.trim() === '' ? null : server.answer(line);
    if (answer !== null) process.stdout.write(`${answer}\n`);
  }
}

export const mcp: Command = { usage, run };
