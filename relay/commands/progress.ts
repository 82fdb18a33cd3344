/** Shows a person at a terminal that a command still works, and how far it is. */

/** How long a command works before it says so, and how long until it says more. */
const EVERY_MS = 2000;

export type Progress = {
  /** What stands there from now on, such as `2000 orders`. */
  set(text: string): void;
  /** Takes it away. */
  end(): void;
};

/** @param output a script that reads it gets nothing */
export function startProgress(output: Pick<NodeJS.WriteStream, 'isTTY' | 'write'>): Progress {
  if (!output.isTTY) return { set: () => {}, end: () => {} };
  let shown = '';
  let text = 'still working…';
  const timer = setInterval(() => {
    // a shorter text must cover the former one
    shown = text.padEnd(shown.length);
    output.write(`\r${shown}`);
  }, EVERY_MS);
  return {
    set: (next) => {
      text = next;
    },
    end: () => {
      clearInterval(timer);
      if (shown !== '') output.write(`\r${' '.repeat(shown.length)}\r`);
    },
  };
}
