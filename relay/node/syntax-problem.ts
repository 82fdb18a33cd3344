/** Says where a text is not JSON, without quoting it: it may hold a secret. */

/** The parser's message quotes the text around an unexpected token. */
const QUOTING = /^Unexpected token '.{1,2}'/su;

/** @returns null when the text is JSON */
export function syntaxProblem(text: string): string | null {
  const message = messageFor(text);
  if (message === null) return null;
  const [token] = QUOTING.exec(message) ?? [];
  if (token !== undefined) return `line ${lineOfToken(text)}: ${token}`;
  const [plain, position] = /^[^"]* in JSON at position (\d+)/.exec(message) ?? [];
  if (plain === undefined)
    return message.startsWith('Unexpected end') ? 'it ends too early' : 'an unexpected text';
  return `line ${text.slice(0, Number(position)).split('\n').length}: ${plain}`;
}

/** The line of the wrong token: the text up to the end of that line is already wrong. */
function lineOfToken(text: string): number {
  const lines = text.split('\n');
  const isWrong = (_line: string, index: number): boolean =>
    QUOTING.test(messageFor(lines.slice(0, index + 1).join('\n')) ?? '');
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
