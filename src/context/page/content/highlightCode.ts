/** Syntax highlighting for the languages that agents write most. Pure: text → texts with classes. */
import hljs from 'highlight.js/lib/core';
import bash from 'highlight.js/lib/languages/bash';
import c from 'highlight.js/lib/languages/c';
import cpp from 'highlight.js/lib/languages/cpp';
import csharp from 'highlight.js/lib/languages/csharp';
import css from 'highlight.js/lib/languages/css';
import diff from 'highlight.js/lib/languages/diff';
import dockerfile from 'highlight.js/lib/languages/dockerfile';
import go from 'highlight.js/lib/languages/go';
import ini from 'highlight.js/lib/languages/ini';
import java from 'highlight.js/lib/languages/java';
import javascript from 'highlight.js/lib/languages/javascript';
import json from 'highlight.js/lib/languages/json';
import kotlin from 'highlight.js/lib/languages/kotlin';
import makefile from 'highlight.js/lib/languages/makefile';
import markdown from 'highlight.js/lib/languages/markdown';
import php from 'highlight.js/lib/languages/php';
import python from 'highlight.js/lib/languages/python';
import ruby from 'highlight.js/lib/languages/ruby';
import rust from 'highlight.js/lib/languages/rust';
import shell from 'highlight.js/lib/languages/shell';
import sql from 'highlight.js/lib/languages/sql';
import swift from 'highlight.js/lib/languages/swift';
import typescript from 'highlight.js/lib/languages/typescript';
import xml from 'highlight.js/lib/languages/xml';
import yaml from 'highlight.js/lib/languages/yaml';

const LANGUAGES = {
  bash,
  c,
  cpp,
  csharp,
  css,
  diff,
  dockerfile,
  go,
  ini,
  java,
  javascript,
  json,
  kotlin,
  makefile,
  markdown,
  php,
  python,
  ruby,
  rust,
  shell,
  sql,
  swift,
  typescript,
  xml,
  yaml,
};

/** Returns the highlighter with its languages. The first call registers them, which takes 10 ms. */
export function highlighter(): typeof hljs {
  if (hljs.listLanguages().length === 0) for (const [name, language] of Object.entries(LANGUAGES)) hljs.registerLanguage(name, language);
  return hljs;
}

/** UTF-16 units. Longer code stays plain, because highlighting it would block the page. */
const MAX_LENGTH = 20_000;

/** UTF-16 units highlighted at a time. */
const PIECE = 2000;
/**
 * Many languages have patterns that take quadratic time, mostly within a line: 4000 letters take 130 ms in Java, 1000
 * times `[a](` half a second in Markdown. Code is plain from the first longer line on, or from the first longer piece
 * that ends within a comment or string.
 */
const LONGEST_LINE = 300;
const LONGEST_PIECE = 4 * PIECE;

/** A text with the classes of its color. */
export interface HighlightedText {
  readonly text: string;
  /** Outermost first. Empty for the default color. */
  readonly classes: readonly string[];
}

/** Returns true if the code is highlighted at all. */
export function isHighlighted(code: string, language: string): boolean {
  return code.length <= MAX_LENGTH && highlighter().getLanguage(language) !== undefined;
}

/**
 * Yields the highlighted code in pieces of whole lines. A piece ends outside of comments and strings. If it doesn't,
 * yields nothing and highlights a longer piece in the next step. So does the first step, which compiles the language.
 * Code that would take too long stays plain.
 */
export function* highlightCode(code: string, language: string): Generator<readonly HighlightedText[]> {
  highlighter().highlight('', { language });
  yield [];
  let from = 0;
  let length = PIECE;
  while (from < code.length) {
    const line = code.indexOf('\n', from + length);
    const to = line < 0 ? code.length : line + 1;
    if (length > LONGEST_PIECE || hasLongLine(code, from, to)) {
      yield [{ text: code.slice(from), classes: [] }];
      return;
    }
    const { value, _top: top } = hljs.highlight(code.slice(from, to), { language, ignoreIllegals: true });
    if (to < code.length && top && 'parent' in top) {
      length *= 2;
      yield [];
    } else {
      yield texts(value);
      from = to;
      length = PIECE;
    }
  }
}

function hasLongLine(code: string, from: number, to: number): boolean {
  for (let start = from; start < to;) {
    const line = code.indexOf('\n', start);
    const end = line < 0 || line > to ? to : line;
    if (end - start > LONGEST_LINE) return true;
    start = end + 1;
  }
  return false;
}

const SIGN = /<span class="([^"<>]*)">|<\/span>|&(?:amp|lt|gt|quot|#x27);/g;
const ENTITIES: Readonly<Record<string, string>> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#x27;': "'" };

/** Converts the highlighter's HTML, which consists of spans and five entities. Anything else stays text. */
function texts(html: string): HighlightedText[] {
  const found: HighlightedText[] = [];
  let classes: readonly string[] = [];
  let text = '';
  let from = 0;
  const end = (): void => {
    if (text !== '') found.push({ text, classes });
    text = '';
  };
  for (const { 0: sign, 1: name, index } of html.matchAll(SIGN)) {
    text += html.slice(from, index);
    from = index + sign.length;
    if (sign.startsWith('&')) text += ENTITIES[sign] ?? sign;
    else {
      end();
      classes = name === undefined ? classes.slice(0, -1) : [...classes, name];
    }
  }
  text += html.slice(from);
  end();
  return found;
}
