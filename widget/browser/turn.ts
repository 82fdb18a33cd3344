/**
 * One long wait for all elements of an origin, in all its tabs. A browser opens six connections to
 * a server without HTTP/2, and the seventh element would get no answer until a wait of another one
 * has ended.
 */
const LOCK = 'pay-checkout';

/**
 * The newest element takes the turn from the others, which get it back when it has ended.
 *
 * @param signal gives the turn up when it aborts
 * @param onTurn called with false when another element has taken the turn, with true afterwards
 *   when this element has it again
 */
export function takeTurn(signal: AbortSignal, onTurn: (mine: boolean) => void): void {
  // A page without TLS and a browser of 2022 have no locks: each element then waits for itself.
  const locks = Reflect.get(Navigator.prototype, 'locks', navigator) as LockManager | undefined;
  const hold = (): Promise<void> | void => {
    if (signal.aborted) return;
    onTurn(true);
    return new Promise((resolve) => signal.addEventListener('abort', () => resolve()));
  };
  const ask = (options: LockOptions): Promise<void> | undefined =>
    locks?.request(LOCK, options, hold);
  // A sandboxed frame refuses locks with another error, and the element keeps its turn.
  const waitWhenTaken = ({ name }: DOMException): void => {
    if (signal.aborted || name !== 'AbortError') return;
    onTurn(false);
    ask({ signal })?.catch(waitWhenTaken);
  };
  ask({ steal: true })?.catch(waitWhenTaken);
}
