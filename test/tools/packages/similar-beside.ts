/**
 * Orders the functions of the element's script so that similar ones stand beside each other: brotli
 * names a text that is near in fewer bits. They come first, because nothing else may need them
 * before they are there, and each is written in one way. All else keeps its order.
 */
import { parseSync, type ESTree } from 'vite';

/** The letters in a row that make a common text, and the functions that one is compared with. */
const COMMON = 5;
const COMPARED = 8;

type Part = { readonly text: string; readonly isFunction: boolean; readonly isVar: boolean };

/** @param code a script that is one function called at once, as the minifiers leave it */
export function similarBeside(code: string): string {
  const [script] = parseSync('script.js', code).program.body;
  const call = script?.type === 'ExpressionStatement' && script.expression;
  const body = call && call.type === 'CallExpression' && bodyOf(call.callee);
  const [first] = body || [];
  const last = body && body.at(-1);
  if (!first || !last) throw new Error('the script is not a function that is called at once');
  const parts = body.flatMap((statement) => partsOf(code, statement));
  const functions = chained(parts.filter(({ isFunction }) => isFunction));
  const ordered = [...functions, ...parts.filter(({ isFunction }) => !isFunction)];
  return code.slice(0, first.start) + joined(ordered) + code.slice(last.end);
}

const bodyOf = (callee: ESTree.Expression): ESTree.Statement[] | null => {
  const called = callee.type === 'ParenthesizedExpression' ? callee.expression : callee;
  return called.type === 'FunctionExpression' && called.body ? called.body.body : null;
};

function partsOf(code: string, statement: ESTree.Statement): Part[] {
  const textOf = ({ start, end }: ESTree.Span): string => code.slice(start, end);
  if (statement.type === 'VariableDeclaration')
    return statement.declarations.map((each) => ({
      text: textOf(each),
      isFunction: each.init?.type === 'ArrowFunctionExpression',
      isVar: true,
    }));
  const text = textOf(statement);
  if (statement.type !== 'FunctionDeclaration')
    return [{ text: text.replace(/;?$/, ';'), isFunction: false, isVar: false }];
  const { async: isAsync, body, generator, id, params } = statement;
  const isNew = id !== null && code.includes(`new ${id.name}(`);
  if (!body || !id || generator || isNew || /\b(this|arguments)\b/.test(text))
    throw new Error(`an arrow function cannot replace ${text}`);
  const [sole] = params;
  const isName = params.length === 1 && sole?.type === 'Identifier' && !isAsync;
  const inBrackets = code.slice(id.end, body.start).trim();
  const head = `${isAsync ? 'async' : ''}${isName ? textOf(sole) : inBrackets}`;
  return [{ text: `${id.name}=${head}=>${textOf(body)}`, isFunction: true, isVar: true }];
}

/** Each part is followed by the one that has most in common with the last ones. */
function chained(parts: readonly Part[]): Part[] {
  const texts = new Map(parts.map((part) => [part, commonTexts(part.text)]));
  const left = new Set(parts);
  const ordered: Part[] = [];
  const likeness = (part: Part): number => {
    const own = texts.get(part) ?? new Set();
    const shared = ordered
      .slice(-COMPARED)
      .reverse()
      .map((other, at) => {
        let count = 0;
        for (const text of own) if (texts.get(other)?.has(text)) count++;
        return count / (at + 1);
      });
    return shared.reduce((sum, each) => sum + each, 0) / Math.sqrt(own.size + 1);
  };
  while (left.size > 0) {
    const [next] = [...left]
      .map((part) => [part, likeness(part)] as const)
      .sort((one, other) => other[1] - one[1]);
    if (!next) break;
    left.delete(next[0]);
    ordered.push(next[0]);
  }
  return ordered;
}

const commonTexts = (text: string): Set<string> =>
  new Set(Array.from({ length: text.length - COMMON + 1 }, (_, at) => text.slice(at, at + COMMON)));

const joined = (parts: readonly Part[]): string =>
  parts.reduce((script, { isVar, text }, at) => {
    const follows = at > 0 && parts[at - 1]?.isVar;
    if (isVar) return `${script}${follows ? ',' : 'var '}${text}`;
    return `${script}${follows ? ';' : ''}${text}`;
  }, '');
