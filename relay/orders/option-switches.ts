/**
 * Payment options that a person has switched off while the relays run. The switches are kept in the
 * ledger, so all its relays and their next starts know them.
 */
import { z } from 'zod';
import type { PaymentOptionConfig } from '../config/payment-options.js';
import type { Config } from '../config/schema.js';
import type { Ledger } from '../ledger/ledger.js';

/** The setting of an option's switch is named by this and the option's id. */
export const SWITCH = 'option ';

/** The last switch of an option. */
const optionSwitch = z.object({
  off: z.boolean(),
  by: z.string(),
  /** Milliseconds, by the ledger's clock. */
  at: z.int(),
  /** What customers read who choose the option on a page that still shows it, by locale. */
  message: z.record(z.string(), z.string()).optional(),
  /** The switches before it, the newest first. */
  earlier: z.array(z.object({ off: z.boolean(), by: z.string(), at: z.int() })).default([]),
});
export type OptionSwitch = z.infer<typeof optionSwitch>;

/** The configured options; one that is switched off is not enabled. */
export type Offer = {
  readonly options: readonly PaymentOptionConfig[];
  readonly switchOf: (id: string) => OptionSwitch | undefined;
  /** False while the switches could not be read: an option may be off that looks enabled. */
  readonly isRead: boolean;
};

type OptionSwitches = {
  offer(): Offer;
  /** Reads the switches; every relay does so about twice a second. */
  refresh(): Promise<void>;
};

export const readSwitches = (
  settings: ReadonlyMap<string, string>,
): ReadonlyMap<string, OptionSwitch> =>
  new Map(
    [...settings].flatMap(([name, value]) =>
      name.startsWith(SWITCH)
        ? [[name.slice(SWITCH.length), optionSwitch.parse(JSON.parse(value))]]
        : [],
    ),
  );

export const offerOf = (
  { options }: Pick<Config, 'options'>,
  switches: ReadonlyMap<string, OptionSwitch>,
  isRead = true,
): Offer => ({
  options: options.map((option) =>
    switches.get(option.id)?.off ? { ...option, enabled: false } : option,
  ),
  switchOf: (id) => switches.get(id),
  isRead,
});

export function createOptionSwitches(
  config: Pick<Config, 'options'>,
  ledger: Pick<Ledger, 'settingsFrom'>,
): OptionSwitches {
  let known: string | null = null;
  let offer = offerOf(config, new Map(), false);
  return {
    offer: () => offer,
    refresh: async () => {
      const settings = await ledger.settingsFrom(SWITCH);
      const found = JSON.stringify([...settings]);
      // each option is shown to pages by the same object while no switch changes (checkout.ts)
      if (found === known) return;
      offer = offerOf(config, readSwitches(settings));
      known = found;
    },
  };
}
