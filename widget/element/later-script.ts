/** Loads the second script when a screen needs it, and holds that screen back until it has come. */
import type { State } from '../checkout/flow.js';
import { getsMore, isLater } from '../fragments/later.js';
import type { Later, LaterOrNot } from '../fragments/view-context.js';
import { importLater } from '../later/load.js';
import type { TextTable } from '../texts/load-texts.js';
import { isPhone, type ControllerState } from './controller-state.js';
import type { Host } from './host.js';

/** After this time a screen is shown without the second script. */
const MAX_WAIT_MS = 2500;

/** The elements of a page share the script. */
let loaded: Later | null = null;
let loading: Promise<Later | null> | null = null;

/** @returns null when the script cannot be loaded; the next call tries again */
function load(relay: string): Promise<Later | null> {
  loading ??= importLater(relay).then(
    (later) => (loaded = later),
    () => (loading = null),
  );
  return loading;
}

export type LaterScript = {
  /**
   * Calls `show` when the state's screen can be shown: at once, unless the screen needs the script.
   * A screen to which the script only adds something is painted before the script is loaded.
   */
  whenShowable(state: State, show: () => void): void;
  load(): Promise<Later | null>;
  /** Drops the states that wait, because another purchase begins. */
  drop(): void;
};

type LaterScriptDeps = {
  host: Pick<Host, 'display' | 'shadowRoot'>;
  state(): Pick<ControllerState, 'environment' | 'relay'>;
  /** Called with the script. After `MAX_WAIT_MS` called with `missing`; the script may follow. */
  onChange(later: Later | 'missing', texts: TextTable): void;
};

export function createLaterScript({ host, onChange, state }: LaterScriptDeps): LaterScript {
  let waiting: (() => void)[] = [];
  let known: LaterOrNot = null;
  const settle = (later: Later | 'missing'): void => {
    if (known !== later) {
      known = later;
      const element = host.shadowRoot;
      if (later !== 'missing' && element) later.enter(element);
      onChange(later, later === 'missing' ? {} : later.texts);
    }
    const shown = waiting;
    waiting = [];
    for (const show of shown) show();
  };
  const request = async (): Promise<Later | null> => {
    const timer = setTimeout(() => settle('missing'), MAX_WAIT_MS);
    // No `await` when the script is loaded: the screen must appear together with its phase.
    const later = loaded ?? (await load(state().relay));
    clearTimeout(timer);
    settle(later ?? 'missing');
    return later;
  };
  const loadAfterPaint = (): unknown =>
    requestAnimationFrame(() => setTimeout(() => void request()));
  return {
    whenShowable: (flow, show) => {
      const onPhone = isPhone(state());
      // The script has the action that a phone shows in place of a code, and the modal's styles.
      if (known === null && (onPhone || host.display === 'modal')) void request();
      if (waiting.length === 0 && !isLater(flow, onPhone)) {
        show();
        if (getsMore(flow)) loadAfterPaint();
        return;
      }
      waiting.push(show);
      if (known === 'missing') settle(known);
      void request();
    },
    load: request,
    drop: () => {
      waiting = [];
    },
  };
}
