/** What stands in the place of the card in a browser that cannot show it. */
import { firstTexts } from '../texts/first-texts.js';
import type { Texts } from '../texts/texts.js';
import { ownHelp } from './host.js';

/**
 * Functions of the oldest browsers that are supported: Safari 15.4, Chrome and Edge 100, Firefox
 * 100. Older ones lack at least one of these.
 */
const isSupported = (): boolean =>
  [
    AbortSignal.prototype.throwIfAborted,
    Array.prototype.at,
    globalThis.HTMLDialogElement?.prototype.showModal,
    Intl.supportedValuesOf,
    Object.hasOwn,
  ].every((each) => typeof each === 'function');

type Host = {
  readonly hasUpdated: boolean;
  readonly renderRoot: HTMLElement | DocumentFragment;
  readonly baseURI: string;
  /** The page's address for help, which no relay has checked. */
  readonly supportUrl: string | null;
  isUpdatePending: boolean;
};

/** Loads the texts of the language, and returns those that are there. */
type Spoken = { loadedTexts(): Texts };

/**
 * Renders the card, or a sentence where the browser cannot.
 *
 * @param language its texts cause a further update when they have loaded
 */
export function updateSafely(host: Host, language: Spoken, update: () => void): void {
  if (!isSupported()) {
    host.isUpdatePending = false;
    return showSentence(host, language);
  }
  try {
    update();
  } catch (error) {
    if (!host.hasUpdated) showSentence(host, language);
    throw error;
  }
}

function showSentence(host: Host, language: Spoken): void {
  let t: (key: keyof typeof firstTexts) => string = (key) => firstTexts[key];
  try {
    t = language.loadedTexts();
  } catch {
    // The choice of a language may need what the browser lacks.
  }
  const { renderRoot } = host;
  // The simulated browser of a test may have ended, and `document` with it.
  const page = renderRoot.ownerDocument;
  const sentence = page.createElement('p');
  sentence.setAttribute('role', 'alert');
  sentence.textContent = t('unsupported');
  renderRoot.replaceChildren(sentence);
  const help = ownHelp(host);
  if (help === undefined) return;
  const link = page.createElement('a');
  link.href = help;
  link.textContent = t('support');
  sentence.append(' ', link);
}
