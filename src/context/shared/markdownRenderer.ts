/**
 * Markdown → HTML, for the page that draws it and the host that searches the drawn text. The output is untrusted: the
 * page passes it through `sanitizeHtml` before drawing.
 * HTML in the text stays text, except for line breaks in the cells of tables. Links may only use http, https and mailto, or name files, which are no links in the HTML.
 * Images aren't loaded.
 *
 * Works on markdown-it's tokens and not on an mdast tree. micromark 4 with GFM takes quadratic time for some texts
 * (1.6 s for 12,800 characters of `*a_ `; markdown-it 6 ms), exceeds the call stack on 6,400 nested quotes, takes 287 ms
 * instead of 24 ms for 29 KB of ordinary text, and is larger (132 KB minified; this module 103 KB). The regular
 * expressions here only see a token's own text, such as a link or a language, and take linear time.
 */
import MarkdownIt from 'markdown-it';
import { withVisibleBidi } from '../../core/format/text/sanitizeText';
import { breakCells } from './markdownBreaks';
import { fileLinkRule } from './markdownFileLinks';
import { limitBlocks } from './markdownLimits';
import { mathTextRule } from './markdownMath';
import { drawTasks } from './markdownTasks';

export interface MarkdownRenderer {
  readonly toHtml: (text: string) => string;
  /**
   * Yields the same HTML in pieces of whole blocks, each with at least `length` characters of content; the last may be
   * shorter.
   */
  readonly toHtmlPieces: (text: string, length: number) => Generator<string>;
}

/**
 * UTF-16 units of Markdown that are drawn immediately. The rest of a longer text is drawn on demand, in pieces of this
 * length.
 */
export const MARKDOWN_PIECE_LENGTH = 32_000;

const SAFE_SCHEME = /^(?:https?:\/\/|mailto:)/i;

/** Returns true if `href` may become a link. Other links stay text. */
export function isSafeLink(href: string): boolean {
  // Browsers remove control characters and spaces from a URL before they read its scheme.
  // eslint-disable-next-line no-control-regex -- they are what this looks for
  return SAFE_SCHEME.test(href) && !/[\u0000-\u0020\u007f]/.test(href);
}

/** Makes a rule of markdown-it's renderer that depends on its token alone. */
const ruleOf =
  (render: (token: Token) => string) =>
  (tokens: readonly Token[], index: number): string => {
    const token = tokens[index];
    return token ? render(token) : '';
  };

/** Takes some milliseconds to create. The language of a code block becomes the class `language-…` of its element. */
export function createMarkdownRenderer(): MarkdownRenderer {
  const md = new MarkdownIt({ html: false, linkify: true, typographer: false, breaks: false });
  md.inline.ruler.before('escape', 'maths', mathTextRule());
  md.inline.ruler.before('link', 'files', fileLinkRule());
  limitBlocks(md);
  breakCells(md);
  drawTasks(md);
  md.validateLink = isSafeLink;
  md.linkify.set({ fuzzyLink: false, fuzzyEmail: false });
  const { escapeHtml } = md.utils;
  const { rules } = md.renderer;

  // The message's own heading is level 2, so headings in its text start at level 3.
  rules['heading_open'] = ruleOf(({ tag }) => `<h${level(tag)} dir="auto">`);
  rules['heading_close'] = ruleOf(({ tag }) => `</h${level(tag)}>`);
  rules['fence'] = ruleOf(({ content, info }) => code(content, info.trim().split(/\s+/)[0] ?? ''));
  rules['code_block'] = ruleOf(({ content }) => code(content, ''));
  rules['image'] = ruleOf((token) => {
    const src = String(token.attrGet('src') ?? '');
    if (src === '') return escapeHtml(token.content);
    return `<a class="image-link" href="${escapeHtml(src)}">${escapeHtml(token.content === '' ? src : `${token.content} (${src})`)}</a>`;
  });
  for (const cell of ['th_open', 'td_open']) {
    rules[cell] = ruleOf((token) => {
      const align = /text-align:(left|center|right)/.exec(String(token.attrGet('style') ?? ''))?.[1];
      return `<${token.tag} dir="auto"${align === undefined ? '' : ` class="align-${align}"`}>`;
    });
  }
  rules['paragraph_open'] = ruleOf(({ hidden }) => (hidden ? '' : '<p dir="auto">'));
  // Entities and encoded URLs can produce bidi characters that the sanitized source text didn't contain.
  const render = (tokens: Token[], env: Record<string, unknown>): string =>
    withVisibleBidi(md.renderer.render(tokens, md.options, env), escapeHtml);

  return { toHtml: (text) => withVisibleBidi(md.render(text), escapeHtml), toHtmlPieces: pieces };

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
