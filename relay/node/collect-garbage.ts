import type inspector from 'node:inspector';

/**
 * Collects all garbage, and returns the freed memory to the operating system. V8 itself collects
 * when the heap grows, so a process that rests after its start keeps 13 MB that it does not need.
 * Stops the process for about 50 ms.
 *
 * Frees nothing, and reports no error, where V8's inspector is missing or forbidden: Node's
 * permission model forbids it. The inspector opens no port here.
 *
 * @param load loads the inspector
 */
export async function collectGarbage(
  load: () => Promise<Pick<typeof inspector, 'Session'>> = () => import('node:inspector'),
): Promise<void> {
  try {
    const { Session } = await load();
    const session = new Session();
    session.connect();
    await new Promise<void>((resolve) => {
      // `global.gc` would keep the freed memory
      session.post('HeapProfiler.collectGarbage', () => resolve());
    });
    session.disconnect();
  } catch {
    // the relay works with more memory too
  }
}
