/** The pages of the reference about the commands, the log and the metrics. */
import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { commands } from '../../../relay/commands/command-table.js';
import { createMetrics } from '../../../relay/node/metrics.js';
import { commandTexts, flagTexts, logEvents } from './operator-texts.js';
import { code, table } from './reference-markdown.js';

export const commandsPage = (): string => `# Commands

Written by \`npm run contract\`. Every command has \`--help\` and \`--version\`. The exit code
is 2 for wrong usage, and 1 for any other failure.

${Object.entries(commands)
  .map(
    ([name, { usage }]) => `## ${name}

${commandTexts[name] ?? ''}

\`\`\`text
${usage}
\`\`\`

${table(
  ['flag', 'what it is'],
  Object.entries(flagTexts[name] ?? {}).map(([flag, text]) => [code(`--${flag}`), text]),
)}
`,
  )
  .join('\n')}`;

/** The relay's own metrics, without the metrics of the process, which the library adds. */
export async function metricNames(): Promise<{ name: string; type: string; help: string }[]> {
  const page = await createMetrics().page(null);
  return [...page.matchAll(/^# HELP (pay_checkout_(?!process|nodejs)\S+) (.*)$/gm)].map(
    ([, name = '', help = '']) => ({
      name,
      help,
      type: new RegExp(`^# TYPE ${name} (\\w+)$`, 'm').exec(page)?.[1] ?? '',
    }),
  );
}

/** The events that the relay's source logs. */
export function loggedEvents(): string[] {
  const folder = fileURLToPath(new URL('../../../relay/', import.meta.url));
  const level = String.raw`'(?:info|warn|error)'|level|[^,'()]*\? *'\w+' *: *'\w+'`;
  const call = new RegExp(String.raw`\b(?:jsonLog|log|write)\(\s*(?:${level}),\s*'(\w+)'`, 'g');
  const found = (readdirSync(folder, { recursive: true }) as string[])
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [...readFileSync(folder + file, 'utf8').matchAll(call)])
    .map(([, event = '']) => event);
  return [...new Set(found)].sort();
}

export const monitoringPage = async (): Promise<string> => `# Log and metrics

Written by \`npm run contract\`. [How to monitor a relay](../guides/run-the-relay.md#monitoring).

## Log

A line of the log is JSON with \`level\` (\`info\`, \`warn\` or \`error\`), \`event\`, and fields
of the event.

${table(
  ['event', 'what happened'],
  loggedEvents().map((event) => [code(event), logEvents[event] ?? '']),
)}

## Metrics

The operator’s listener serves these metrics at \`/metrics\`, together with the metrics of the
process (\`pay_checkout_process_…\` and \`pay_checkout_nodejs_…\`).

${table(
  ['metric', 'type', 'what it is'],
  (await metricNames()).map(({ help, name, type }) => [code(name), type, help]),
)}
`;
