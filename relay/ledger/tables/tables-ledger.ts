/** The ledger in the tables of a database. */
import { GENERATION, GenerationError } from '../ledger-errors.js';
import type { Ledger } from '../ledger.js';
import { countsIn } from './counts.js';
import type { Engine } from './engine.js';
import { outboxIn } from './events.js';
import { followingIn } from './following.js';
import { intentsIn } from './intents.js';
import { linksIn } from './links.js';
import { listsIn } from './lists.js';
import { operatorIn } from './operator.js';
import { first, run, type Program } from './program.js';
import { retentionIn } from './retention.js';
import { verifyIn } from './verify.js';

export function tablesLedger(engine: Engine): Ledger {
  const { backup, checkFile, close, now, read, write } = engine;
  const setting = (name: string): Promise<string | null> => read(() => readSetting(name));
  return {
    ...intentsIn(engine),
    ...outboxIn(engine),
    ...followingIn(engine),
    ...listsIn(engine),
    ...retentionIn(engine),
    ...linksIn(engine),
    ...operatorIn(engine),
    ...countsIn(engine),
    setting,
    keepSetting: async (name, value) =>
      (await setting(name)) ??
      write(function* () {
        yield* run(
          'insert into settings (name, value) values ($1, $2) on conflict do nothing',
          name,
          value,
        );
        return (yield* readSetting(name)) ?? value;
      }),
    writeSetting: (name, value) =>
      write(function* () {
        yield* run(
          `insert into settings (name, value) values ($1, $2)
            on conflict (name) do update set value = $2`,
          name,
          value,
        );
      }),
    now: () => (now === null ? null : read(now)),
    ping: async () => {
      checkFile();
      const generation = await setting('generation');
      if (generation !== String(GENERATION)) throw new GenerationError(generation);
    },
    verify: () => read(() => verifyIn(engine)),
    backup,
    close,
  };
}

export function* readSetting(name: string): Program<string | null> {
  const found = yield* first<{ value: string }>('select value from settings where name = $1', name);
  return found?.value ?? null;
}
