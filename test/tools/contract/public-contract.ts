/**
 * The public contract as data: routes, requests, answers, configuration, codes, attributes, events
 * and parts.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { configSchema } from '../../../relay/config/schema.js';
import { endpoints } from '../../../relay/contract/endpoints.js';
import { failureStatuses } from '../../../relay/contract/failure.js';
import { intentModes } from '../../../relay/contract/order.js';
import { outcomes } from '../../../relay/contract/outcomes.js';
import { CONTRACT } from '../../../relay/contract/paths.js';
import { en } from '../../../widget/texts/en.js';
import { reviewReasons } from '../../../relay/contract/review-reasons.js';

const root = fileURLToPath(new URL('../../..', import.meta.url));

const asJson = (schema: z.ZodType, io: 'input' | 'output'): unknown =>
  z.toJSONSchema(schema, { io, unrepresentable: 'any' });

/** The element's source as one text. */
const widgetSource = (): string =>
  (readdirSync(`${root}widget`, { recursive: true }) as string[])
    .filter((file) => file.endsWith('.ts'))
    .sort()
    .map((file) => readFileSync(`${root}widget/${file}`, 'utf8'))
    .join('\n');

/**
 * Collects all matches of a pattern.
 * @param pattern its first group is the match
 * @returns the different matches, sorted
 */
const found = (source: string, pattern: RegExp): string[] =>
  [...new Set([...source.matchAll(pattern)].map(([, name = '']) => name))].sort();

/** The schema needs a function that reads secrets; here there are none. */
const noSecret = (): undefined => undefined;

export async function publicContract(): Promise<Record<string, unknown>> {
  const { PayCheckout } = await import('../../../widget/pay-checkout.js');
  const source = widgetSource();
  return {
    contract: CONTRACT,
    operations: Object.fromEntries(
      Object.entries(endpoints).map(([name, { path, request, response }]) => [
        name,
        { path, request: asJson(request, 'input'), response: asJson(response, 'output') },
      ]),
    ),
    configuration: asJson(configSchema(noSecret), 'input'),
    failures: failureStatuses,
    outcomes,
    intentModes,
    reviewReasons,
    attributes: [...PayCheckout.observedAttributes].sort(),
    properties: [...PayCheckout.elementProperties.keys()].map(String).sort(),
    events: found(source, /'(pay-[a-z-]+)': Pay\w+Event/g),
    customProperties: found(source, /var\(\s*(--pay-[a-z-]+)/g),
    // an older element asks for the texts of the newest relay
    texts: Object.keys(en),
    // the code of a link gets its part as an argument
    parts: found(
      source,
      /(?:\bpart(?:=|: | = |=\$\{[^}]*\? )["']|'(?:qr )?(?=link-))([a-z-]+)["']/g,
    ),
  };
}
