/**
 * Text that nobody vouches for, as markdown that cannot break the document around it: it opens no heading, no HTML,
 * no picture from elsewhere, and every fence that it opens is closed.
 */
import { withoutEscapes, withVisibleBidi } from './plain';

/** Line ends as `\n`; terminal colours and other control characters go; what reorders the text around it can be seen. */
export function cleanText(text: string): string {
  // eslint-disable-next-line no-control-regex -- what no document has
  return withVisibleBidi(withoutEscapes(text).replace(/\r\n?/g, '\n').replace(/[\u0000-\u0008\u000b-\u001f\u007f]/g, ''));
}

/** One line of text with nothing in it that markdown would read. */
export function inlineText(text: string): string {
  return cleanText(text)
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[\\`*_[\]<>#|~$&@]|:(?=\S)/g, '\\$&');
}

/** A short text as inline code, in one line. */
export function inlineCode(text: string): string {
  const line = cleanText(text).replace(/\s+/g, ' ').trim();
  if (line === '') return '';
  const ticks = '`'.repeat(longestRun(line, '`') + 1);
  const space = line.startsWith('`') || line.endsWith('`') ? ' ' : '';
  return `${ticks}${space}${line}${space}${ticks}`;
}

/** A text between fences that are longer than any in it. `language` is a word of ours, never of the text's. */
export function fenced(text: string, language = ''): string {
  const clean = cleanText(text);
  const fence = '`'.repeat(Math.max(3, longestRun(clean, '`') + 1));
  return `${fence}${language}\n${clean.replace(/\n$/, '')}\n${fence}`;
}

export function quoted(markdown: string): string {
  return markdown
    .split('\n')
    .map((line) => (line === '' ? '>' : `> ${line}`))
    .join('\n');
}

/**
 * A text in the middle of which something is left out when it is longer than `limit` UTF-16 units:
 * two thirds from its start, one third from its end. `note` says how many were left out.
 */
export function cutMiddle(text: string, limit: number, note: (characters: number) => string): string {
  if (text.length <= limit) return text;
  const start = wholeTo(text, Math.floor((limit * 2) / 3));
  const end = wholeTo(text, text.length - Math.floor(limit / 3));
  return `${text.slice(0, start)}\n${note(end - start)}\n${text.slice(end)}`;
}

/** An index that does not part a surrogate pair. */
function wholeTo(text: string, index: number): number {
  const code = text.charCodeAt(index);
  return code >= 0xdc00 && code <= 0xdfff ? index + 1 : index;
}

/** What a list or a quote puts before its content, any number of times. */
const CONTAINER = String.raw`(?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*`;
const FENCE = /^(\s*)(?:(?:[-*+]|\d{1,9}[.)])\s+)?(`{3,}(?=[^`]*$)|~{3,})(.*)$/s;
const HEADING = /^ {0,3}#{1,6}[ \t]+(\S.*)$/s;
const NESTED_HEADING = new RegExp(`^(${CONTAINER})(#{1,6})(?=[ \\t]|$)`);
const UNDERLINE = new RegExp(`^(${CONTAINER})(=+|-+)[ \\t]*$`);

/**
 * A message in markdown, as its writer meant it but for headings (bold or literal), HTML (literal) and pictures
 * (literal). Fences are written anew at the start of a line, so that what is code here is code for every reader.
 */
export function proseText(text: string): string {
  const out: string[] = [];
  const lines = cleanText(text).split('\n');
  let paragraph: string[] = [];
  const flush = (): void => {
    if (paragraph.length > 0) out.push(...harmless(paragraph));
    paragraph = [];
  };
  const own = (block: string): void => {
    flush();
    if (out.length > 0 && out.at(-1) !== '') out.push('');
    out.push(...block.split('\n'), '');
  };
  for (let i = 0; i < lines.length; i++) {
    const line = lines[i]!;
    const open = FENCE.exec(line);
    if (open) {
      const [, indent = '', marks = '', info = ''] = open;
      const close = new RegExp(`^\\s*${marks[0]!}{${String(marks.length)},}\\s*$`);
      const code: string[] = [];
      while (++i < lines.length && !close.test(lines[i]!)) code.push(lines[i]!.startsWith(indent) ? lines[i]!.slice(indent.length) : lines[i]!);
      own(fenced(code.join('\n'), /^[\w+#.-]{0,30}/.exec(info.trim())![0]));
      continue;
    }
    const heading = HEADING.exec(line);
    if (heading) own(`**${harmless([withoutClosing(heading[1]!)]).join('').replaceAll('*', '\\*')}**`);
    else if (/^\s*$/.test(line)) {
      flush();
      if (out.at(-1) !== '') out.push('');
    } else paragraph.push(line);
  }
  flush();
  return out.join('\n').trimEnd();
}

/** A heading's text without the number signs that may close it. By hand: a pattern would take the square of a long line's time. */
function withoutClosing(text: string): string {
  const trimmed = text.trimEnd();
  let end = trimmed.length;
  while (trimmed[end - 1] === '#') end--;
  return end < trimmed.length && /[ \t]/.test(trimmed.charAt(end - 1)) ? trimmed.slice(0, end).trimEnd() : trimmed;
}

/** Lines without a blank one among them → the same without headings, HTML and pictures. */
function harmless(lines: readonly string[]): string[] {
  // What is between backticks stays as it is if every line closes what it opens: then all readers agree on where code is.
  const clear = lines.every(closesItsCode);
  return lines.map((line, index) => {
    const safe = (clear ? outsideCode(line) : escapeMarkup(line)).replace(NESTED_HEADING, '$1\\$2');
    return index === 0 ? safe : safe.replace(UNDERLINE, '$1\\$2');
  });
}

function closesItsCode(line: string): boolean {
  return !/\\`|[|]/.test(line) && !/`/.test(line.replace(CODE_SPAN, ''));
}

const CODE_SPAN = /(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)/g;

function outsideCode(line: string): string {
  let at = 0;
  let out = '';
  for (const span of line.matchAll(CODE_SPAN)) {
    out += escapeMarkup(line.slice(at, span.index)) + span[0];
    at = span.index + span[0].length;
  }
  return out + escapeMarkup(line.slice(at));
}

/** `<` that may begin a tag and `![` become literal; where a backslash stands before them already, they are. */
function escapeMarkup(text: string): string {
  return text.replace(/(?<!\\)(\\*)(<(?=[A-Za-z/!?])|!(?=\[))/g, (_, slashes: string, mark: string) =>
    mark === '<' ? `${slashes}${slashes.length % 2 === 0 ? '\\' : ''}<` : `${slashes}!\\`,
  );
}

function longestRun(text: string, character: string): number {
  let longest = 0;
  let run = 0;
  for (const one of text) {
    run = one === character ? run + 1 : 0;
    if (run > longest) longest = run;
  }
  return longest;
}
