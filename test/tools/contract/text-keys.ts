/** Names the element's texts and their placeholders for the relay, which has no English texts. */
import { format } from 'prettier';
import { en } from '../../../widget/texts/en.js';

/** @returns the source of relay/config/text-keys.ts */
export const textKeys = (): Promise<string> => {
  const names = (text: string): string[] =>
    [...text.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name);
  const table = Object.fromEntries(
    Object.entries(en).map(([key, text]) => [key, [...new Set(names(text))]]),
  );
  const source = `// Written by \`npm run contract\` from widget/texts/en.ts. An edit here is lost.

/** Each key of the element's texts, with the placeholders of its text. */
export const TEXT_KEYS: Readonly<Record<string, readonly string[]>> =
  ${JSON.stringify(table)};
`;
  return format(source, { parser: 'typescript', singleQuote: true, printWidth: 100 });
};
