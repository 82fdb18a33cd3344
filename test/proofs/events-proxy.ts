/** A proxy between the relay and a shop, which loses some of the events and remembers all. */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export type Delivery = { body: string; headers: Record<string, string> };

export type EventsProxy = {
  url: string;
  /** Ids of the events that were lost. */
  lost: ReadonlySet<string>;
  /** Every event that the relay sent, by its id. */
  sent: ReadonlyMap<string, Delivery>;
  close(): void;
};

/** Chooses the events whose every delivery is lost, so that only a reconciliation finds them. */
export const loses =
  (percent: number) =>
  (id: string): boolean =>
    createHash('sha256').update(id).digest().readUInt16BE() % 100 < percent;

/**
 * @param webhook where events go; null while the shop has no address yet
 * @param isLost whether the event is acknowledged and not forwarded
 */
export async function startEventsProxy(
  webhook: () => string | null,
  isLost: (id: string) => boolean,
): Promise<EventsProxy> {
  const lost = new Set<string>();
  const sent = new Map<string, Delivery>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const id = String(request.headers['webhook-id']);
      const names = ['content-type', 'webhook-id', 'webhook-timestamp', 'webhook-signature'];
      const delivery = {
        body: Buffer.concat(chunks).toString(),
        headers: Object.fromEntries(names.map((name) => [name, String(request.headers[name])])),
      };
      sent.set(id, delivery);
      if (isLost(id)) {
        lost.add(id);
        response.writeHead(200).end();
        return;
      }
      const url = webhook();
      void (url === null ? Promise.resolve(503) : deliver(url, delivery)).then((status) =>
        response.writeHead(status).end(),
      );
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const close = (): void => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, lost, sent, close };
}

/** @returns the status of the answer; 502 when there is none, for example while the shop is down */
export const deliver = (url: string, { body, headers }: Delivery): Promise<number> =>
  fetch(url, { method: 'POST', headers, body }).then(
    ({ status }) => status,
    () => 502,
  );
