/**
 * Says where a text is not JSON. It quotes at most the one unexpected character, because the text
 * may hold a secret.
 */

/**
 * The start of V8's message about an unexpected token, up to the wrong character. What follows
 * quotes the text around it, so only this start is kept.
 */
const UNEXPECTED_TOKEN = /^Unexpected token '.'/s;

/** @returns null when the text is JSON */
export function syntaxProblem(text: string): string | null {
  const message = messageFor(text);
  if (message === null) return null;
  const [token] = UNEXPECTED_TOKEN.exec(message) ?? [];
  if (token !== undefined) return `line ${lineOfToken(text)}: ${token}`;
  // V8 quotes the text in double quotation marks, so a message without them holds nothing of it
  const [withoutQuote, position] = /^[^"]* in JSON at position (\d+)/.exec(message) ?? [];
  if (withoutQuote === undefined)
    return message.startsWith('Unexpected end') ? 'it ends too early' : 'it is not a JSON value';
  return `line ${text.slice(0, Number(position)).split('\n').length}: ${withoutQuote}`;
}

/**
 * V8's message about an unexpected token names no position. The token is in the first line for
 * which the text up to the end of that line gives such a message too.
 */
function lineOfToken(text: string): number {
  const lines = text.split('\n');
  const isWrong = (_line: string, index: number): boolean =>
    UNEXPECTED_TOKEN.test(messageFor(lines.slice(0, index + 1).join('\n')) ?? '');
  return lines.findIndex(isWrong) + 1;
}

function messageFor(text: string): string | null {
  try {
    JSON.parse(text);
    return null;
  } catch (error) {
    return error instanceof Error ? error.message : '';
  }
}
