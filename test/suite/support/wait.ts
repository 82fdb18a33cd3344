export const sleep = (ms: number): Promise<void> =>
  new Promise((resolve) => setTimeout(resolve, ms));

const CHECK_INTERVAL_MS = 20;
/** What takes a second on an idle machine may take a minute on a busy one. */
export const MAX_WAIT_MS = 60_000;

/**
 * Waits until `holds` is true.
 * @param what names the condition in the error
 * @throws Error when it is still false after `ms`
 */
export async function until(
  holds: () => boolean | Promise<boolean>,
  what: string,
  ms = MAX_WAIT_MS,
): Promise<void> {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(CHECK_INTERVAL_MS))
    if (await holds()) return;
  throw new Error(`not in ${ms} ms: ${what}`);
}
