/** The language of the element: the one that it names, or the one that it stands in. */
import {
  createLanguage,
  languageAround,
  onLanguageAround,
  type Language,
} from '../texts/language.js';
import { relayOf, type Host } from './host.js';

type HostLanguage = Language & {
  /** Asks for the texts, once for each language. */
  follow(): void;
  /** @returns a function that ends following the changes of the page */
  listen(): () => void;
};

export function createHostLanguage(host: Host): HostLanguage {
  const language = createLanguage(() => host.requestUpdate());
  const follow = (): void =>
    language.load(relayOf(host), host.locale || languageAround(host), host.fetch);
  return { ...language, follow, listen: () => onLanguageAround(host, follow) };
}
