/** The tools of `mcp --config FILE`: the verbs of an operator that only read the ledger. */
import { z } from 'zod';
import type { Verbs } from '../operator/verbs.js';

/** A tool that answers with data of the shop. */
export type DataTool = {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: object;
  /** @throws Failure or Refusal with a sentence */
  run(given: unknown): Promise<object>;
};

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

export const ledgerTools = (verbs: Verbs): DataTool[] =>
  Object.entries(DESCRIPTIONS).flatMap(([name, description]) => {
    const verb = verbs.find(name);
    if (!verb) return [];
    return {
      // clients take letters, digits and _ in the name of a tool
      name: name.replace('/', '_'),
      description,
      inputSchema: z.toJSONSchema(verb.input, { io: 'input' }),
      run: (given) => verbs.run(verb, given, 'mcp'),
    };
  });
