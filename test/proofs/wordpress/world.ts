/** WordPress on MariaDB, relay and sandbox together, with visitors who pay. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { startTestCheckout, type TestCheckout } from '../../../relay/testing/index.js';
import { freePort } from '../../suite/support/free-port.js';
import { createCustomers, type Customers } from '../customers.js';
import { startEventsProxy, type EventsProxy } from '../events-proxy.js';
import { startMariaDb } from './mariadb.js';
import { startWordPress, type WordPress } from './wordpress-server.js';

/** What a visitor got for one request. */
export type Visit = {
  body: string;
  headers: Headers;
  /** The cookies of the answer, for the next request. */
  cookie: string;
  /** Null when the page shows no element. */
  token: string | null;
};

export type World = Customers & {
  checkout: TestCheckout;
  proxy: EventsProxy;
  site: WordPress;
  /** The Cookie header of the administrator. */
  admin: string;
  /** @returns the rows, their columns separated by tabs */
  sql(text: string): string;
  /** The text of every page that was served. */
  served: string[];
  loseEvents(lost: boolean): void;
  visit(path: string, cookie?: string): Promise<Visit>;
  /** WordPress runs the task that reads the events. */
  catchUp(): Promise<void>;
  close(): Promise<void>;
};

/** The `jti` of an order token, which is the id of the shop's order. */
export function orderOf(token: string | null): string {
  const claims = Buffer.from(token?.split('.')[1] ?? '', 'base64url').toString();
  return z.object({ jti: z.string() }).parse(JSON.parse(claims || '{}')).jti;
}

export async function createWorld(): Promise<World> {
  const folder = mkdtempSync(join(tmpdir(), 'wordpress-'));
  const url = `http://127.0.0.1:${await freePort()}`;
  let hook: string | null = null;
  let isLost = false;
  const proxy = await startEventsProxy(
    () => hook,
    () => isLost,
  );
  const checkout = await startTestCheckout({
    origins: [url],
    events_url: proxy.url,
    config: { limits: { per_ip_per_minute: 100_000, new_intents_per_ip_per_hour: 100_000 } },
  });
  const { socket, sql, stop } = await startMariaDb(folder);
  sql('create database shop');
  const site = await startWordPress(folder, socket, url, checkout);
  const served: string[] = [];
  const visit = async (path: string, cookie = ''): Promise<Visit> => {
    const response = await fetch(url + path, { headers: { cookie } });
    const body = await response.text();
    served.push(body);
    const { headers } = response;
    const cookies = headers.getSetCookie().map((each) => each.split(';')[0]);
    const token = /order-token="([^"]+)"/.exec(body)?.[1] ?? null;
    return { body, headers, cookie: cookies.join('; '), token };
  };
  await site.activate();
  ({ hook } = site);
  const admin = await site.logIn();
  // the shop's code makes its tables in the dashboard
  await visit('/wp-admin/index.php', admin);
  return {
    ...createCustomers(checkout, url),
    checkout,
    proxy,
    site,
    admin,
    sql: (text) => sql(`use shop; ${text}`),
    served,
    loseEvents: (lost) => void (isLost = lost),
    visit,
    catchUp: async () => {
      // a run that the shop ended has left WordPress's lock, which holds for a minute
      await site.php("delete_transient('doing_cron');");
      // of two events of one second with the same arguments WordPress would drop the second
      const run = "wp_schedule_single_event(time() - 1, 'pay_checkout_catch_up', [uniqid()]);";
      await site.php(run);
      await visit('/wp-cron.php');
    },
    close: async () => {
      site.stop();
      proxy.close();
      await checkout.close();
      await stop();
      rmSync(folder, { recursive: true });
    },
  };
}
