/**
 * Markdown → HTML, for the page that draws it and for the host that searches in what is drawn. Pure, and never
 * trusted: what comes out goes through `sanitize` before it is drawn.
 * HTML in the text is text; links lead out by http, https and mailto alone; images are not loaded.
 */
import MarkdownIt from 'markdown-it';
import { withVisibleBidi } from '../../core/format/text/sanitizeText';
import { limitBlocks } from './markdownLimits';
import { mathTextRule } from './markdownMath';

export interface MarkdownRenderer {
  readonly toHtml: (text: string) => string;
  /** The same in pieces of whole blocks: as many in one as have `length` characters, or a single longer one. */
  readonly toHtmlPieces: (text: string, length: number) => Generator<string>;
}

/** UTF-16 units of markdown that are drawn at a time; what a text has beyond is drawn in pieces of that length, when somebody wants them. */
export const MARKDOWN_PIECE_LENGTH = 32_000;

const SAFE_SCHEME = /^(?:https?:\/\/|mailto:)/i;

/** Whether a link may be one. Everything else is shown as text. */
export function isSafeLink(href: string): boolean {
  // Browsers leave control characters and spaces out of an address before they look at its scheme.
  // eslint-disable-next-line no-control-regex -- they are what this looks for
  return SAFE_SCHEME.test(href) && !/[\u0000-\u0020\u007f]/.test(href);
}

/** Making it takes some milliseconds. The language of code is the class of its element, `language-ts`. */
export function createMarkdownRenderer(): MarkdownRenderer {
  const md = new MarkdownIt({ html: false, linkify: true, typographer: false, breaks: false });
  md.inline.ruler.before('escape', 'maths', mathTextRule());
  limitBlocks(md);
  md.validateLink = isSafeLink;
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  const { escapeHtml } = md.utils;
  const { rules } = md.renderer;

  // The message itself is a second-level heading; those in its text come below it.
  rules['heading_open'] = (tokens, index) => `<h${level(tokens[index]!.tag)} dir="auto">`;
  rules['heading_close'] = (tokens, index) => `</h${level(tokens[index]!.tag)}>`;
  rules['fence'] = (tokens, index) => code(tokens[index]!.content, tokens[index]!.info.trim().split(/\s+/)[0] ?? '');
  rules['code_block'] = (tokens, index) => code(tokens[index]!.content, '');
  rules['image'] = (tokens, index) => {
    const token = tokens[index]!;
    const src = String(token.attrGet('src') ?? '');
    if (src === '') return escapeHtml(token.content);
    return `<a class="image-link" href="${escapeHtml(src)}">${escapeHtml(token.content === '' ? src : `${token.content} (${src})`)}</a>`;
  };
  for (const cell of ['th_open', 'td_open']) {
    rules[cell] = (tokens, index) => {
      const align = /text-align:(left|center|right)/.exec(String(tokens[index]!.attrGet('style') ?? ''))?.[1];
      return `<${tokens[index]!.tag} dir="auto"${align === undefined ? '' : ` class="align-${align}"`}>`;
    };
  }
  rules['paragraph_open'] = (tokens, index) => (tokens[index]!.hidden ? '' : '<p dir="auto">');
  // Written as an entity, or encoded in an address, these come through what looked at the text before.
  const render = (tokens: Token[], env: Record<string, unknown>): string => withVisibleBidi(md.renderer.render(tokens, md.options, env));

  return { toHtml: (text) => withVisibleBidi(md.render(text)), toHtmlPieces: pieces };

  function* pieces(text: string, length: number): Generator<string> {
    const env: Record<string, unknown> = {};
    const tokens = md.parse(text, env);
    let from = 0;
    let size = 0;
    for (const [index, { level, nesting, content }] of tokens.entries()) {
      size += content.length;
      if (level > 0 || nesting > 0 || size < length) continue;
      yield render(tokens.slice(from, index + 1), env);
      from = index + 1;
      size = 0;
    }
    if (from < tokens.length) yield render(tokens.slice(from), env);
  }

  function code(text: string, language: string): string {
    const name = /^[\w+#.-]{1,30}$/.test(language) ? ` class="language-${language.toLowerCase()}"` : '';
    return `<pre class="code" dir="ltr"><code${name}>${escapeHtml(text)}</code></pre>\n`;
  }
}

type Token = ReturnType<typeof MarkdownIt.prototype.parse>[number];

const level = (tag: string): number => Math.min(6, Number(tag.slice(1)) + 2);
