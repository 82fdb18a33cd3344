/** Switches payment options off and on, for all relays of the ledger, within a second. */
import type { z } from 'zod';
import type { LedgerClock } from '../ledger/ledger-clock.js';
import type { Context } from '../orders/context.js';
import { offerOf, readSwitches, SWITCH, type OptionSwitch } from '../orders/option-switches.js';
import { Refusal } from './refusal.js';
import type { optionsShape } from './shapes.js';
import { instant } from './operator-order.js';

type OptionsContext = Pick<Context, 'config' | 'ledger'>;

/** Earlier switches of one option that are kept. */
const MAX_EARLIER = 50;

type Switching = Pick<OptionSwitch, 'off' | 'by' | 'message'> & { readonly id: string };
type Options = z.infer<typeof optionsShape>;

export async function listOptions({ config, ledger }: OptionsContext): Promise<Options> {
  const { options, switchOf } = offerOf(config, readSwitches(await ledger.settingsFrom(SWITCH)));
  const enabled = new Set(config.options.flatMap((each) => (each.enabled ? each.id : [])));
  return {
    options: options.map(({ enabled: offered, id }) => {
      const last = switchOf(id);
      return {
        id,
        offered,
        enabled: enabled.has(id),
        switched_off: last?.off ?? false,
        by: last?.by ?? null,
        at: last ? instant(last.at) : null,
        message: last?.message ?? null,
        earlier: (last?.earlier ?? []).map(({ at, ...each }) => ({ ...each, at: instant(at) })),
      };
    }),
  };
}

/**
 * Its open orders go on. A page that still shows the option gets the refusal of a disabled one.
 *
 * @throws Refusal when the configuration has no such option
 */
export async function switchOption(
  context: OptionsContext & { readonly ledgerClock: Pick<LedgerClock, 'now'> },
  { by, id, message, off }: Switching,
): Promise<Options> {
  const { config, ledger, ledgerClock } = context;
  const ids = config.options.map((option) => option.id);
  if (!ids.includes(id))
    throw new Refusal(`no option ${id}; the configuration has ${ids.join(', ')}`);
  const last = readSwitches(await ledger.settingsFrom(SWITCH)).get(id);
  const earlier = last ? [{ off: last.off, by: last.by, at: last.at }, ...last.earlier] : [];
  const value: OptionSwitch = {
    off,
    by,
    at: ledgerClock.now(),
    ...(message && { message }),
    earlier: earlier.slice(0, MAX_EARLIER),
  };
  await ledger.writeSetting(`${SWITCH}${id}`, JSON.stringify(value));
  return listOptions(context);
}
