/** `pay-checkout-relay options …`: switches ways to pay off and on while the relays run. */
import type { z } from 'zod';
import { listOptions, switchOption } from '../operator/options.js';
import { optionMessage } from '../operator/sentence.js';
import type { optionsShape } from '../operator/shapes.js';
import { readBy, withActions, type Given } from './actions.js';
import { TEXT, UsageError } from './arguments.js';
import { withStore } from './operator-context.js';
import { footer, moment, print, table } from './table.js';

const usage = `usage: pay-checkout-relay options list --config FILE
       pay-checkout-relay options off ID --config FILE --by NAME [--message LOCALE=TEXT…]
       pay-checkout-relay options on ID --config FILE --by NAME
All relays of the ledger follow within a second, and after a restart. Open orders go on.
A customer reads the message when the page still shows the option; give one for each locale.`;

function readMessage({ values }: Given): Record<string, string> | undefined {
  const { message } = values;
  if (!Array.isArray(message)) return undefined;
  const pairs = message.map(String).map((text) => {
    const at = text.indexOf('=');
    if (at < 1)
      throw new UsageError('--message: expected LOCALE=TEXT, such as en=Pay by card today');
    return [text.slice(0, at), text.slice(at + 1)];
  });
  const { data, success } = optionMessage.safeParse(Object.fromEntries(pairs));
  if (!success)
    throw new UsageError(
      '--message: expected a text of visible characters, such as en=Pay by card today',
    );
  return data;
}

const switching =
  (off: boolean) =>
  async (given: Given): Promise<void> => {
    const { config, id, isJson } = given;
    const message = off ? readMessage(given) : undefined;
    const by = readBy(given);
    const options = await withStore(config, 'writes', (context) =>
      switchOption(context, { id, off, by, ...(message && { message }) }),
    );
    print(isJson, options, listedText);
  };

export const options = withActions(usage, {
  list: {
    takes: 'none',
    run: async ({ config, isJson }) =>
      print(isJson, await withStore(config, 'reads', listOptions), listedText),
  },
  off: {
    takes: 'one',
    flags: { by: TEXT, message: { type: 'string', multiple: true } },
    run: switching(true),
  },
  on: { takes: 'one', flags: { by: TEXT }, run: switching(false) },
});

function listedText(listed: z.infer<typeof optionsShape>): string {
  const rows = listed.options.flatMap((option) => [
    [
      option.id,
      stateOf(option),
      option.by ?? '-',
      moment(option.at),
      Object.values(option.message ?? {}).join(' / '),
    ],
    ...option.earlier.map(({ at, by, off }) => [
      '',
      `before: switched ${off ? 'off' : 'on'}`,
      by,
      moment(at),
      '',
    ]),
  ]);
  const none = whenNoneIsLeft(listed);
  const head = ['option', 'customers', 'switched by', 'at', 'message'];
  return table([head, ...rows]) + (none === null ? '' : `${none}\n`) + footer();
}

function stateOf({
  enabled,
  offered,
  switched_off,
}: z.infer<typeof optionsShape>['options'][number]): string {
  if (offered) return 'may choose it';
  if (switched_off) return 'do not see it: switched off';
  return enabled ? 'do not see it' : 'do not see it: enabled is false';
}

/** @returns what customers see when no option is left; null where a shop takes only deposits */
const whenNoneIsLeft = ({ options: all }: z.infer<typeof optionsShape>): string | null =>
  all.length === 0 || all.some(({ offered }) => offered)
    ? null
    : 'no option is left, and customers read: No way to pay is available right now.';
