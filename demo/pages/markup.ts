/** Builds markup from template strings; it escapes every value that is not markup itself. */
export class Markup {
  constructor(readonly text: string) {}
}
type Value = string | number | Markup | readonly Markup[] | null | false;

export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"']/g, (char) => `&#${char.charCodeAt(0)};`);

function textOf(value: Value): string {
  if (value === null || value === false) return '';
  if (value instanceof Markup) return value.text;
  return typeof value === 'object'
    ? value.map(({ text }) => text).join('')
    : escapeHtml(String(value));
}

export const html = (parts: TemplateStringsArray, ...values: Value[]): Markup =>
  new Markup(parts.reduce((sum, part, index) => sum + textOf(values[index - 1] ?? null) + part));

export function show(place: Element, content: Markup): void {
  place.innerHTML = content.text;
}

/** As querySelector, but throws when nothing matches or the match is not a `type`. */
export function find<T extends Element>(
  selector: string,
  type: new () => T,
  within: ParentNode = document,
): T {
  const element = within.querySelector(selector);
  if (!(element instanceof type)) throw new Error(`the page has no ${selector}`);
  return element;
}
