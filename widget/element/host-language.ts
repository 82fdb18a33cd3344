/** The language of the element: the one that it names, or the one that it stands in. */
import { offerOf, type State } from '../checkout/flow.js';
import type { Problem } from '../problem.js';
import {
  createLanguage,
  languageAround,
  onLanguageAround,
  type Language,
} from '../texts/language.js';
import { keepsDeclared } from './first-answer.js';
import { relayOf, type Host } from './host.js';

type HostLanguage = Language & {
  /**
   * Asks for the texts, once for each language.
   *
   * @param again also when they are being asked for already
   */
  follow(again?: boolean): void;
  /**
   * @returns what is shown in the place of every other screen while its texts cannot be loaded, or
   *   null
   */
  problem(flow: State): Problem | null;
  /** @returns a function that ends following the changes of the page */
  listen(): () => void;
};

export function createHostLanguage(host: Host): HostLanguage {
  const language = createLanguage(
    () => host.requestUpdate(),
    () => host.isConnected,
  );
  const follow = (again = false): void =>
    language.load(relayOf(host), host.locale || languageAround(host), host.fetch, again);
  return {
    ...language,
    follow,
    ready: () => language.ready() && !(language.isMissing() && keepsDeclared(host)),
    problem: (flow) =>
      language.isMissing() &&
      // the card that a server rendered has its own texts
      !keepsDeclared(host) &&
      !('problem' in flow && flow.problem.code === 'attributes_wrong')
        ? {
            code: 'relay_unreachable',
            message: 'the texts cannot be loaded',
            support_url: offerOf(flow)?.support_url,
          }
        : null,
    listen: () => onLanguageAround(host, () => follow()),
  };
}
