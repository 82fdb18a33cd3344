/**
 * A diagram of Mermaid as the list of its arrows. The site has no renderer: those that exist need a
 * browser, or many times the bytes of the site.
 */

/** `P` of `participant P as page` stands for `page`, and `[*]` for the start. */
const nameOf = (short: string, names: ReadonlyMap<string, string>): string =>
  short === '[*]' ? 'start' : (names.get(short) ?? short);

/** @returns one line for each arrow, in the order of the source */
export function arrowsOf(source: string): string[] {
  const lines = source.split('\n').map((line) => line.trim());
  const names = new Map(
    lines.flatMap((line) => {
      const [, short, name] = /^participant (\S+) as (.+)$/.exec(line) ?? [];
      return short === undefined || name === undefined ? [] : [[short, name] as const];
    }),
  );
  return lines.flatMap((line) => {
    const [, arrows = '', label] = /^(.*?)(?:: (.+))?$/.exec(line) ?? [];
    const steps = arrows.split(/ --> |-->>|->>/);
    if (steps.length < 2) return [];
    const words = steps.map((step) =>
      step
        .split(' & ')
        .map((each) => nameOf(each.replace(/^\w+\["(.*)"\]$/, '$1').trim(), names))
        .join(', '),
    );
    return [words.join(' → ') + (label === undefined ? '' : `: ${label}`)];
  });
}
