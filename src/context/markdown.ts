/**
 * Markdown → HTML, for the page that draws it and for the host that searches in what is drawn. Pure, and never
 * trusted: what comes out goes through `sanitize` before it is drawn.
 * HTML in the text is text; links lead out by http, https and mailto alone; images are not loaded.
 */
import MarkdownIt from 'markdown-it';
import { withVisibleBidi } from '../core/format/plain';
import { mathAsText } from './mathText';

/** Code as HTML of nothing but spans; `undefined` if it stays plain. */
export type Highlight = (code: string, language: string) => string | undefined;

const SAFE = /^(?:https?:\/\/|mailto:)/i;

/** Whether a link may be one. Everything else is shown as text. */
export function isSafeLink(href: string): boolean {
  // Browsers leave control characters and spaces out of an address before they look at its scheme.
  // eslint-disable-next-line no-control-regex -- they are what this looks for
  return SAFE.test(href) && !/[\u0000-\u0020\u007f]/.test(href);
}

/** @returns what renders markdown as HTML. Making it takes some milliseconds. */
export function markdownRenderer(highlight: Highlight): (text: string) => string {
  const md = new MarkdownIt({ html: false, linkify: true, typographer: false, breaks: false });
  md.inline.ruler.before('escape', 'maths', mathAsText);
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
  return (text) => withVisibleBidi(md.render(text));

  function code(text: string, language: string): string {
    const name = language.toLowerCase();
    return `<pre class="code" dir="ltr"><code>${(name === '' ? undefined : highlight(text, name)) ?? escapeHtml(text)}</code></pre>\n`;
  }
}

const level = (tag: string): number => Math.min(6, Number(tag.slice(1)) + 2);
