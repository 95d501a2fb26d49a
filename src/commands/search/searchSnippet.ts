/** What a hit says in a row: without markdown's marks, and with what was found marked. Pure. */

type Mark = readonly [start: number, end: number];

export interface Snippet {
  readonly snippet: string;
  /** In UTF-16 units of the snippet, in order. */
  readonly marks: readonly Mark[];
}

/** What goes, each as what stands before it, the mark itself, what stays, and a mark behind that. Line ends are blanks here. */
const MARKUP: readonly RegExp[] = [
  // Fences with the name of their language, and code.
  /()(```+(?:\w+(?=\s))?)()()/g,
  /()(`+)([^`]*)(`+)/g,
  // Headings; a single one may be a comment, unless it begins the text.
  /((?:^|[\s…]))(#{2,6}\s+)(?=\S)()()/g,
  /(^)(#\s+)(?=\S)()()/g,
  // Bold, italic, struck out; with low lines names in code are written so, too.
  /()(\*\*)(?=\S)((?:(?!\*\*).)+)(?<=\S)(\*\*)/g,
  /((?<![\w*]))(\*)(?=[^\s*])([^*]+)(?<=\S)(\*)(?![\w*])/g,
  /()(~~)(?=\S)([^~]+)(?<=\S)(~~)/g,
  // Links and pictures, of which the text stays.
  /()(!?\[)([^\][]+)(\]\([^()\s]*\))/g,
  // What was a line's end and its indentation.
  /(\s)(\s+)()()/g,
];

/** The text as it would be read, its marks still on the same words. */
export function stripMarkup({ snippet, marks }: Snippet): Snippet {
  return MARKUP.reduce<Snippet>(stripPattern, { snippet, marks });
}

function stripPattern(text: Snippet, pattern: RegExp): Snippet {
  const gone: Mark[] = [];
  for (const { 1: before = '', 2: opening = '', 3: inside = '', 4: closing = '', index } of text.snippet.matchAll(pattern)) {
    const from = index + before.length;
    const to = from + opening.length;
    gone.push([from, to]);
    if (closing !== '') gone.push([to + inside.length, to + inside.length + closing.length]);
  }
  if (gone.length === 0) return text;
  let snippet = '';
  let at = 0;
  for (const [from, to] of gone) {
    snippet += text.snippet.slice(at, from);
    at = to;
  }
  snippet += text.snippet.slice(at);
  const shifted = (place: number): number => gone.reduce((sum, [from, to]) => sum - Math.max(0, Math.min(place, to) - from), place);
  const marks = text.marks.map(([start, end]): Mark => [shifted(start), shifted(end)]).filter(([start, end]) => end > start);
  return { snippet, marks };
}

/** A snippet with its marks in brackets, for where the editor does not show by itself what was found. */
export function bracketMarks({ snippet, marks }: Snippet, typed: string): string {
  if (isMarkedByEditor(snippet, typed)) return snippet;
  let text = '';
  let at = 0;
  for (const [start, end] of marks) {
    text += `${snippet.slice(at, start)}‹${snippet.slice(start, end)}›`;
    at = end;
  }
  return text + snippet.slice(at);
}

/** So far into a text the editor marks words that stand in it in the order in which they were typed. */
const EDITOR_MATCH_RANGE = 60;

/** It marks what is typed where that stands as it is, and near the beginning also words with others between them. */
function isMarkedByEditor(snippet: string, typed: string): boolean {
  const value = typed.trim().toLowerCase();
  const text = snippet.toLowerCase();
  if (value === '') return false;
  if (text.includes(value)) return true;
  const words = value.split(/\s+/);
  return words.length > 1 && areInOrder(words, text.slice(0, EDITOR_MATCH_RANGE));
}

/** Tells if the words start in the text one after the other. A regular expression could take exponential time to fail. */
function areInOrder(words: readonly string[], text: string): boolean {
  let at = 0;
  for (const word of words) {
    while ((at = text.indexOf(word, at)) > 0 && /[\p{L}\p{N}]$/u.test(text.slice(0, at))) at++;
    if (at < 0) return false;
    at += word.length;
  }
  return true;
}
