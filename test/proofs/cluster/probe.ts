/** Writes to the cluster's database again and again, to measure how long it takes no writes. */
import pg from 'pg';
import { sleep } from '../../suite/support/wait.js';

const PAUSE_MS = 200;
/** A write that takes longer is given up, and tried again on another connection. */
const TIMEOUT_MS = 1000;

export type Probe = {
  /** When a write succeeded, in milliseconds of the clock. */
  writtenAt: readonly number[];
  stop(): Promise<void>;
};

/** @param url reaches the database without a pooler between */
export function startProbe(url: string): Probe {
  const writtenAt: number[] = [];
  let isOpen = true;
  const writeUntilError = async (): Promise<void> => {
    const client = new pg.Client({
      connectionString: url,
      connectionTimeoutMillis: TIMEOUT_MS,
      query_timeout: TIMEOUT_MS,
    });
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('create table if not exists probe (at timestamptz not null)');
      while (isOpen) {
        await client.query('insert into probe values (now())');
        writtenAt.push(Date.now());
        await sleep(PAUSE_MS);
      }
    } finally {
      // after a timeout the server may never confirm the end of the connection
      void client.end().catch(() => {});
    }
  };
  const run = async (): Promise<void> => {
    while (isOpen) {
      await writeUntilError().catch(() => {});
      await sleep(PAUSE_MS);
    }
  };
  const ended = run();
  return {
    writtenAt,
    stop: () => {
      isOpen = false;
      return ended;
    },
  };
}
