/** Records when a fault kept a shop's relays from working: a delay in that time is excused. */
type Window = { from: number; to: number };

export type Disturbances = {
  /** Something begins to disturb a shop's relays; `end` says until when it excuses a delay. */
  begin(shop: string, from: number): { end(to: number): void };
  /** How long, of the time between two moments, nothing disturbed the shop's relays. */
  undisturbedMs(shop: string, from: number, to: number): number;
};

export function createDisturbances(): Disturbances {
  const windows = new Map<string, Window[]>();
  return {
    begin: (shop, from) => {
      const window = { from, to: Infinity };
      windows.set(shop, [...(windows.get(shop) ?? []), window]);
      return {
        end: (to) => {
          window.to = to;
        },
      };
    },
    undisturbedMs: (shop, from, to) => {
      const clipped = (windows.get(shop) ?? [])
        .map((window) => ({ from: Math.max(from, window.from), to: Math.min(to, window.to) }))
        .filter((part) => part.from < part.to)
        .sort((a, b) => a.from - b.from);
      let quietMs = 0;
      let reached = from;
      for (const part of clipped) {
        quietMs += Math.max(0, part.from - reached);
        reached = Math.max(reached, part.to);
      }
      return quietMs + Math.max(0, to - reached);
    },
  };
}
