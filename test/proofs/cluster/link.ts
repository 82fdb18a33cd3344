/** A TCP connection between two machines that a proof can cut, as a broken switch does. */
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export type Link = {
  port: number;
  /** From now on bytes do not arrive, and new connections get no answer and no error. */
  cut(): void;
  /** Repairs the link. Bytes that were sent while it was cut arrive now. */
  heal(): void;
  close(): void;
};

export async function openLink(targetPort: number): Promise<Link> {
  let isCut = false;
  const sockets = new Set<Socket>();
  /** Connections that came while the link was cut. */
  const waiting = new Set<Socket>();

  const add = (socket: Socket, other: Socket): void => {
    sockets.add(socket);
    socket.on('error', () => {});
    socket.on('close', () => {
      sockets.delete(socket);
      other.destroy();
    });
    socket.on('data', (bytes) => {
      if (!other.write(bytes)) socket.pause();
    });
    other.on('drain', () => {
      if (!isCut) socket.resume();
    });
    socket.on('end', () => other.end());
  };
  /** Connects a client's socket to the target; called only while the link is not cut. */
  const join = (near: Socket): void => {
    const far = connect(targetPort, '127.0.0.1');
    add(near, far);
    add(far, near);
    near.resume();
  };
  const server = createServer({ pauseOnConnect: true }, (near) => {
    if (!isCut) return join(near);
    waiting.add(near);
    near.on('error', () => {});
    near.on('close', () => waiting.delete(near));
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    cut: () => {
      isCut = true;
      for (const socket of sockets) socket.pause();
    },
    heal: () => {
      isCut = false;
      for (const socket of sockets) socket.resume();
      for (const near of waiting) {
        waiting.delete(near);
        join(near);
      }
    },
    close: () => {
      server.close();
      for (const socket of [...sockets, ...waiting]) socket.destroy();
    },
  };
}
