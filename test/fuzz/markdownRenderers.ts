/** The renderers that people use for Markdown, and a check for everything in their results that could load, run or lead somewhere. */
import { marked } from 'marked';
import MarkdownIt from 'markdown-it';

type Parser = InstanceType<typeof MarkdownIt>;
type Token = ReturnType<Parser['parse']>[number];

/** The built-in preview (markdown-language-features/src/markdownEngine.ts): its options, its linkifier and the links that it accepts. */
function vscodePreview(options: { readonly breaks?: boolean; readonly typographer?: boolean } = {}): Parser {
  const md = new MarkdownIt({ html: true, linkify: true, ...options });
  md.linkify.set({ fuzzyLink: false });
  const validateLink = md.validateLink.bind(md);
  md.validateLink = (link) => validateLink(link) || /^vscode(?:-insiders)?:/i.test(link) || /^data:image\/.*?;/.test(link);
  return md;
}

/** `vscodePreview` before markdown-it 13, which also looked for addresses in escaped characters. */
function olderPreview(): Parser {
  const md = vscodePreview();
  md.core.ruler.before('linkify', 'escapes are text', (state) => {
    for (const token of state.tokens) token.children = token.children && joinedTexts(token.children);
  });
  return md;
}

function joinedTexts(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (const token of tokens) {
    const last = joined.at(-1);
    if (token.type === 'text_special') token.type = 'text';
    if (token.type === 'text' && last?.type === 'text') last.content += token.content;
    else joined.push(token);
  }
  return joined;
}

const PARSERS: Readonly<Record<string, Parser>> = {
  preview: vscodePreview(),
  'preview with breaks and typographer': vscodePreview({ breaks: true, typographer: true }),
  'older preview': olderPreview(),
  CommonMark: new MarkdownIt('commonmark'),
  'tables, strikethrough and HTML': new MarkdownIt({ html: true }),
};

/** Elements and attributes of Markdown without HTML, images and links. */
const ELEMENTS = new Set('p h1 h2 ul ol li blockquote pre code em strong s del hr br table thead tbody tr th td'.split(' '));
const ATTRIBUTE = /^(?:start="\d+"|class="language-[\w+#-]+"|style="text-align:(?:left|center|right)"|align="(?:left|center|right)")$/;
/** Fences that some renderer draws. */
const DRAWN = /^(?:mermaid|math|katex|tex|latex|geojson|topojson|stl|plantuml|puml|dot|graphviz|vega|vega-lite|svgbob|abc|chart)\b/i;

/** Returns everything in a Markdown document besides text, emphasis, code, lists, quotes and tables; each finding names its renderer. */
export function harmIn(markdown: string): string[] {
  const found: string[] = [];
  for (const [name, md] of Object.entries(PARSERS)) {
    const tokens = md.parse(markdown, {});
    const html = md.renderer.render(tokens, md.options, {});
    const harm = [...tokens.flatMap((token) => [token, ...(token.children ?? [])]).flatMap(harmOfToken), ...harmInHtml(html)];
    found.push(...harm.map((what) => `${name}: ${what}`));
  }
  found.push(...harmInHtml(marked.parse(markdown, { gfm: true, async: false })).map((what) => `marked: ${what}`));
  return found;
}

function harmOfToken({ type, info, content }: Token): string[] {
  if (['image', 'html_block', 'html_inline', 'link_open'].includes(type)) return [`${type} ${content}`];
  if (type === 'fence' && DRAWN.test(info)) return [`fence ${info}`];
  // Maths plugins look for these in the source of inline text, outside code.
  if (type === 'inline' && /\$|^\s*\\begin\{/m.test(content.replace(/(?<!`)(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, ''))) return ['maths'];
  return [];
}

/**
 * Returns the elements and attributes of rendered Markdown that aren't known to be harmless. Renderers write `<` as an
 * entity, except in elements.
 */
export function harmInHtml(html: string, elements: ReadonlySet<string> = ELEMENTS, attribute: RegExp = ATTRIBUTE): string[] {
  return [...html.matchAll(/<([^>]*)>?/g)].flatMap(([whole, inside = '']) => {
    const [name = '', ...attributes] = inside
      .replace(/^\//, '')
      .replace(/\s*\/$/, '')
      .split(/\s+(?=[^\s"=]+=")/);
    return elements.has(name) && whole.endsWith('>') && attributes.every((one) => attribute.test(one)) ? [] : [whole];
  });
}

/** Returns the headings in a document's source. */
export function headingsOf(markdown: string): string[] {
  const tokens = PARSERS['preview']!.parse(markdown, {});
  return tokens.flatMap((token, index) => (token.type === 'heading_open' ? [tokens[index + 1]!.content] : []));
}

/** Returns the kinds of everything in a document. */
export function kindsOf(markdown: string): Set<string> {
  return new Set(
    PARSERS['older preview']!.parse(markdown, {}).flatMap((token) => [token.type, ...(token.children ?? []).map(({ type }) => type)]),
  );
}
