/**
 * Renders a file to HTML without inline scripts and styles, so that a strict content security
 * policy allows it.
 */
import { Marked, type Tokens } from 'marked';
import { escapeHtml } from '../pages/markup.js';
import { addressOf, readText, resolveLink } from './files.js';

/** A page whose heading says nothing in a list of pages. */
const titles: Readonly<Record<string, string>> = { 'SKILL.md': 'Skill for coding agents' };

export type Heading = { level: number; text: string; id: string };
export type Rendered = {
  title: string;
  html: string;
  headings: Heading[];
  /** Files of the repository that the page links to. */
  links: string[];
  /** For the search: the text below each heading; text before the first heading has an empty id. */
  sections: { id: string; heading: string; text: string }[];
};

/** The id that GitHub gives to the heading, so that a link with a #fragment works on both sites. */
const idOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');

const codeBlock = (text: string, language: string): string =>
  `<div class="code"><pre tabindex="0"><code class="language-${escapeHtml(language || 'text')}">` +
  `${escapeHtml(text)}</code></pre></div>`;

/** `P` of `participant P as page` stands for `page`, and `[*]` for the start. */
const nameOf = (short: string, names: ReadonlyMap<string, string>): string =>
  short === '[*]' ? 'start' : (names.get(short) ?? short);

/**
 * A diagram of Mermaid as the list of its arrows, in the order of the source. The site has no
 * renderer: those that exist need a browser, or many times the bytes of the site.
 */
function arrowsOf(source: string): string[] {
  const lines = source.split('\n').map((line) => line.trim());
  const names = new Map(
    lines.flatMap((line) => {
      const [, short, name] = /^participant (\S+) as (.+)$/.exec(line) ?? [];
      return short === undefined || name === undefined ? [] : [[short, name] as const];
    }),
  );
  return lines.flatMap((line) => {
    const [, arrows = '', label] = /^(.*?)(?:: (.+))?$/.exec(line) ?? [];
    const steps = arrows.split(/ --> |-->>|->>/);
    if (steps.length < 2) return [];
    const words = steps.map((step) =>
      step
        .split(' & ')
        .map((each) => nameOf(each.replace(/^\w+\["(.*)"\]$/, '$1').trim(), names))
        .join(', '),
    );
    return [words.join(' → ') + (label === undefined ? '' : `: ${label}`)];
  });
}

const diagram = (source: string): string =>
  '<figure class="diagram"><figcaption>The arrows of the diagram, from its start to its end. In ' +
  'the repository it is drawn.</figcaption><ol>' +
  `${arrowsOf(source)
    .map((arrow) => `<li>${escapeHtml(arrow)}</li>`)
    .join('')}</ol></figure>`;

/** @param file a Markdown file, or any other text, which is shown as code */
export function render(file: string): Rendered {
  const text = readText(file);
  if (file.endsWith('.md')) return renderMarkdown(file, text);
  const title = file.split('/').at(-1) ?? file;
  const html = `<h1>${escapeHtml(title)}</h1><p>${escapeHtml(file)}</p>`;
  const language = title.split('.').at(-1) ?? '';
  const whole = html + codeBlock(text.trimEnd(), language);
  return { title, html: whole, headings: [], links: [], sections: [] };
}

const isExternal = (href: string): boolean => /^(https?:|mailto:)/.test(href);

function renderMarkdown(file: string, text: string): Rendered {
  const headings: Heading[] = [];
  const links: string[] = [];
  const used = new Map<string, number>();
  const resolve = (href: string): string => {
    if (isExternal(href) || href.startsWith('#')) return href;
    const [path = '', hash] = href.split('#');
    const target = resolveLink(file, path);
    links.push(target);
    return addressOf(target) + (hash === undefined ? '' : `#${hash}`);
  };
  const marked = new Marked({
    renderer: {
      heading({ depth, tokens }: Tokens.Heading): string {
        const inner = this.parser.parseInline(tokens);
        const words = this.parser.parseInline(tokens, this.parser.textRenderer);
        const base = idOf(plain(words));
        const count = used.get(base) ?? 0;
        used.set(base, count + 1);
        const id = count === 0 ? base : `${base}-${count}`;
        headings.push({ level: depth, text: plain(words), id });
        return `<h${depth} id="${id}">${inner}</h${depth}>`;
      },
      code: ({ lang = '', text: code }: Tokens.Code): string =>
        lang === 'mermaid' ? diagram(code) : codeBlock(code, lang),
      link({ href, tokens }: Tokens.Link): string {
        return `<a href="${escapeHtml(resolve(href))}">${this.parser.parseInline(tokens)}</a>`;
      },
      image({ href, text: alt }: Tokens.Image): string {
        // as GitHub marks a picture that only one of the themes shows
        const [path = '', theme = ''] = href.split(/#gh-(dark|light)-mode-only$/);
        const shownIn = theme === '' ? '' : ` class="${theme}"`;
        const src = escapeHtml(resolve(path));
        return `<img${shownIn} src="${src}" alt="${escapeHtml(alt)}" loading="lazy" />`;
      },
      table({ header, rows }: Tokens.Table): string {
        const cell = ({ tokens }: Tokens.TableCell, tag: string): string =>
          `<${tag}>${this.parser.parseInline(tokens)}</${tag}>`;
        const cells = (row: Tokens.TableCell[], tag: string): string =>
          `<tr>${row.map((content) => cell(content, tag)).join('')}</tr>`;
        const body = rows.map((row) => cells(row, 'td')).join('');
        const head = `<thead>${cells(header, 'th')}</thead>`;
        return `<div class="table" tabindex="0"><table>${head}<tbody>${body}</tbody></table></div>`;
      },
    },
  });
  // what stands before a skill is for agents
  const body = text.replace(/^---\n[^]*?\n---\n/, '');
  const html = marked.parse(body, { async: false });
  const title = titles[file] ?? headings[0]?.text ?? file;
  return { title, html, headings, links, sections: sectionsOf(html, title) };
}

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };

/**
 * The text of HTML that `renderMarkdown` made; only its tags and entities are known here. An inline
 * tag is removed, because it may stand inside a word. Any other tag becomes a space, so that two
 * cells or paragraphs do not run together.
 */
const plain = (html: string): string =>
  html
    .replace(/<\/?(?:a|code|em|strong)\b[^>]*>/g, '')
    .replace(/<[^>]*>/g, ' ')
    .replace(/&#(\d+);/g, (_, digits: string) => String.fromCharCode(Number(digits)))
    .replace(/&(amp|lt|gt|quot);/g, (all, name: string) => ENTITIES[name] ?? all)
    .replace(/\s+/g, ' ')
    .trim();

/** The search lists text below a deeper heading under the last heading of at most this level. */
const MAX_SECTION_LEVEL = 4;
const SECTION_START = new RegExp(`(?=<h[1-${MAX_SECTION_LEVEL}] id=")`);

const sectionsOf = (html: string, title: string): Rendered['sections'] =>
  html.split(SECTION_START).flatMap((part) => {
    const [, id = '', heading = title] = /^<h\d id="([^"]*)">([\s\S]*?)<\/h\d>/.exec(part) ?? [];
    const text = plain(part.replace(/^<h\d[\s\S]*?<\/h\d>/, ''));
    return text === '' && id === '' ? [] : [{ id, heading: plain(heading), text }];
  });
