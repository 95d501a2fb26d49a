/**
 * Rewrites the Markdown of messages so that every renderer shows the same. Emphasis, lists, quotes, tables and code
 * stay. Headings become bold lines. HTML, images, links and maths become text, and addresses become code: a link's text
 * can lie about its target, and previews fetch the links that they show.
 */
import { elementAt } from '../../values/lookups';
import { stepCounter, type Steps } from '../../session/steps';
import {
  ADDRESS_RUN,
  cleanText,
  escapeMarkup,
  escapeText,
  codeBlock,
  joinMarkdown,
  blockQuote,
  addressAsCode,
  otherRun,
  wholeInlineCode,
  wholeInlineText,
} from './markdownText';

export function* normalizeMarkdown(text: string): Steps<string> {
  return withoutBlankEnd(yield* blocks(cleanText(text).split('\n'), 0, stepCounter())).join('\n');
}

/** More deeply nested quotes are rewritten line by line and left to the renderer. */
const DEEPEST_QUOTE = 8;

const FENCE = /^([ \t]*)(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?(`{3,}(?=[^`]*$)|~{3,})(.*)$/;
const HEADING = /^ {0,3}#{1,6}[ \t]+(\S.*)$/;
const QUOTE = /^ {0,3}>/;
const INDENTED = /^(?: {4}| {0,3}\t)/;
const ITEM = /^ {0,3}(?:[-*+]|\d{1,9}[.)])(?:[ \t]|$)/;
const BLANK = /^\s*$/;

/** Rewrites lines of Markdown. */
function* blocks(lines: readonly string[], depth: number, isStep: () => boolean): Steps<string[]> {
  const out: string[] = [];
  let paragraph: string[] = [];
  let isInList = false;
  const flush = function* (): Steps<void> {
    for (const line of yield* proseLines(paragraph, isStep)) out.push(line);
    paragraph = [];
  };
  const own = function* (block: string): Steps<void> {
    yield* flush();
    if (out.length > 0 && out.at(-1) !== '') out.push('');
    for (const line of block.split('\n')) out.push(line);
    out.push('');
  };
  for (let i = 0; i < lines.length;) {
    if (isStep()) yield;
    const line = elementAt(lines, i);
    const fence = FENCE.exec(line);
    const heading = fence ? null : HEADING.exec(line);
    if (fence) {
      const [, indent = '', marks = '', info = ''] = fence;
      const end = endOfFence(lines, i, marks);
      yield* own(codeBlock(withoutIndent(lines.slice(i + 1, end), indent), languageOf(info)));
      i = end + 1;
    } else if (heading) {
      const [, title = ''] = heading;
      yield* own(`**${yield* inline(withoutClosing(title), { isHeading: true, isTable: false, isStep })}**`);
      i++;
    } else if (QUOTE.test(line) && depth < DEEPEST_QUOTE) {
      const end = endOf(lines, i, (other) => QUOTE.test(other));
      const quoted = lines.slice(i, end).map((other) => other.replace(/^ {0,3}> ?/, ''));
      yield* own(blockQuote(withoutBlankEnd(yield* blocks(quoted, depth + 1, isStep)).join('\n')));
      i = end;
    } else if (INDENTED.test(line) && !isInList && paragraph.length === 0 && !BLANK.test(line)) {
      const end = endOf(lines, i, (other) => INDENTED.test(other) || BLANK.test(other));
      yield* own(
        codeBlock(
          withoutBlankEnd(lines.slice(i, end))
            .map((other) => other.replace(INDENTED, ''))
            .join('\n'),
        ),
      );
      i = end;
    } else if (BLANK.test(line)) {
      yield* flush();
      if (out.length > 0 && out.at(-1) !== '') out.push('');
      i++;
    } else {
      if (ITEM.test(line)) isInList = true;
      else if (paragraph.length === 0 && !/^[ \t]/.test(line)) isInList = false;
      paragraph.push(line);
      i++;
    }
  }
  yield* flush();
  return out;
}

function endOf(lines: readonly string[], from: number, belongs: (line: string) => boolean): number {
  let end = from + 1;
  while (end < lines.length && belongs(elementAt(lines, end))) end++;
  return end;
}

/** Returns the index of the line that closes a fence, or the number of lines. */
function endOfFence(lines: readonly string[], from: number, marks: string): number {
  return endOf(lines, from, (line) => {
    const trimmed = line.trim();
    return trimmed.length < marks.length || trimmed !== marks.charAt(0).repeat(trimmed.length);
  });
}

const withoutIndent = (lines: readonly string[], indent: string): string =>
  lines.map((line) => (line.startsWith(indent) ? line.slice(indent.length) : line)).join('\n');

function withoutBlankEnd(lines: readonly string[]): readonly string[] {
  return lines.slice(0, lines.findLastIndex((line) => !BLANK.test(line)) + 1);
}

/**
 * Languages that fences keep: only those known to be code. Previews draw some others (`mermaid`, `math`, `geojson`,
 * `plantuml`), and plugins add to them.
 */
const LANGUAGES = new Set(
  (
    'bash bat c c# c++ clojure cmake console cpp cs csharp css csv dart diff dockerfile elixir erlang fish fsharp go graphql groovy h haskell hcl hpp html http ' +
    'ini java javascript jinja js json json5 jsonc jsonl jsx julia kotlin less lisp log lua make makefile markdown md nix objc objective-c ocaml perl php plaintext ' +
    'powershell prisma proto protobuf ps1 py python r rb ruby rs rust sass scala scheme scss sh shell shellscript solidity sql svelte swift terraform text toml ts ' +
    'tsx txt typescript vb vim vue wasm xml yaml yml zig zsh'
  ).split(' '),
);

function languageOf(info: string): string {
  const [name = ''] = /^[\w+#-]{0,20}(?=\s|$)/.exec(info.trim()) ?? [];
  return LANGUAGES.has(name.toLowerCase()) ? name : '';
}

/** Returns a heading's text without its closing number signs. A regular expression would take quadratic time on a long line. */
function withoutClosing(text: string): string {
  const trimmed = text.trimEnd();
  let end = trimmed.length;
  while (trimmed[end - 1] === '#') end--;
  return end < trimmed.length && /[ \t]/.test(trimmed.charAt(end - 1)) ? trimmed.slice(0, end).trimEnd() : trimmed;
}

/** White space and the markers of lists and quotes, any number of times. */
const CONTAINER = String.raw`(?:[ \t]|>|[-*+](?=[ \t])|\d{1,9}[.)](?=[ \t]))*`;
/** The start of a heading or of a plugin's container (`::: mermaid`), and below it the underline of a heading. */
const OPENING = new RegExp(`^(${CONTAINER})(?=#{1,6}(?:[ \\t]|$)|:::)`);
const UNDERLINE = new RegExp(`^(${CONTAINER})(?=(?:=+|-+)[ \\t]*$)`);
const DELIMITERS = /^[\s>*+.)\d|:-]*$/;

/** Rewrites lines of a paragraph; none of them is blank. */
function* proseLines(lines: readonly string[], isStep: () => boolean): Steps<string[]> {
  const isTable = lines.some((line) => line.includes('-') && DELIMITERS.test(line));
  const out: string[] = [];
  for (const line of lines) {
    const safe = (yield* inline(line, { isHeading: false, isTable, isStep })).replace(OPENING, '$1\\');
    out.push(out.length === 0 ? safe : safe.replace(UNDERLINE, '$1\\'));
  }
  return out;
}

interface InlineOptions {
  /** Emphasis marks are text. */
  readonly isHeading: boolean;
  /** Cells end at a vertical bar, even in code. */
  readonly isTable: boolean;
  readonly isStep: () => boolean;
}

const TOKENS = new RegExp(`(${ADDRESS_RUN})|(\`+)|\\\\([\\\\\`*_[\\]<>#|~(){}$&.!+-])|${otherRun('`\\\\')}|[^]`, 'gu');

/** Rewrites a line so that every renderer reads the same code and emphasis in it, and nothing else. */
function* inline(line: string, { isHeading, isTable, isStep }: InlineOptions): Steps<string> {
  const escape = isHeading ? escapeText : escapeMarkup;
  const pieces: RegExpExecArray[] = [];
  for (const piece of line.matchAll(TOKENS)) {
    pieces.push(piece);
    if (isStep()) yield;
  }
  const closing = closingTicks(pieces);
  const out: string[] = [];
  for (let i = 0; i < pieces.length; i++) {
    if (isStep()) yield;
    const match = elementAt(pieces, i);
    const [piece, run, ticks, escaped] = match;
    const close = ticks === undefined ? undefined : closing.get(i);
    if (close !== undefined) {
      const code = line.slice(match.index + piece.length, elementAt(pieces, close).index);
      out.push(isTable && code.includes('|') ? wholeInlineText(code) : wholeInlineCode(code));
      i = close;
    } else if (run !== undefined) out.push(addressAsCode(run, escape));
    else if (escaped !== undefined) out.push(escapeAny(escaped));
    else out.push(escape(piece));
  }
  return joinMarkdown(out);
}

/** Maps each run of backticks to the one that closes it: the next of the same length. */
function closingTicks(pieces: readonly RegExpExecArray[]): Map<number, number> {
  const closing = new Map<number, number>();
  const next = new Map<number, number>();
  for (let i = pieces.length - 1; i >= 0; i--) {
    const ticks = elementAt(pieces, i)[2]?.length;
    if (ticks === undefined) continue;
    const close = next.get(ticks);
    if (close !== undefined) closing.set(i, close);
    next.set(ticks, i);
  }
  return closing;
}

/** Escapes a character that was escaped in the source. */
const escapeAny = (character: string): string => (/[(){}.!+-]/.test(character) ? `\\${character}` : escapeText(character));
