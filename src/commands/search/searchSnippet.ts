/** Texts of hits: removes Markdown markup and marks the matches. Pure. */

type Mark = readonly [start: number, end: number];

export interface Snippet {
  readonly snippet: string;
  /** In UTF-16 units of the snippet, in order. */
  readonly marks: readonly Mark[];
}

/** Patterns of markup with four groups: the text before, the opening mark, the text that stays, the closing mark. Snippets have spaces instead of line breaks. */
const MARKUP: readonly RegExp[] = [
  // Code fences with their language, and inline code.
  /()(```+(?:\w+(?=\s))?)()()/g,
  /()(`+)([^`]*)(`+)/g,
  // Headings. A single # may be a comment, except at the start.
  /((?:^|[\s…]))(#{2,6}\s+)(?=\S)()()/g,
  /(^)(#\s+)(?=\S)()()/g,
  // Bold, italic, strikethrough. Underscores stay, since names in code contain them.
  /()(\*\*)(?=\S)((?:(?!\*\*).)+)(?<=\S)(\*\*)/g,
  /((?<![\w*]))(\*)(?=[^\s*])([^*]+)(?<=\S)(\*)(?![\w*])/g,
  /()(~~)(?=\S)([^~]+)(?<=\S)(~~)/g,
  // Links and images; their text stays.
  /()(!?\[)([^\][]+)(\]\([^()\s]*\))/g,
  // Line breaks with indentation.
  /(\s)(\s+)()()/g,
];

/** Removes markup; the marks stay on the same words. A mark on markup alone is dropped. */
export function stripMarkup({ snippet, marks }: Snippet): Snippet {
  return MARKUP.reduce<Snippet>(stripPattern, { snippet, marks });
}

function stripPattern(text: Snippet, pattern: RegExp): Snippet {
  const removed: Mark[] = [];
  for (const { 1: before = '', 2: opening = '', 3: inside = '', 4: closing = '', index } of text.snippet.matchAll(pattern)) {
    const from = index + before.length;
    const to = from + opening.length;
    removed.push([from, to]);
    if (closing !== '') removed.push([to + inside.length, to + inside.length + closing.length]);
  }
  if (removed.length === 0) return text;
  let snippet = '';
  let at = 0;
  for (const [from, to] of removed) {
    snippet += text.snippet.slice(at, from);
    at = to;
  }
  snippet += text.snippet.slice(at);
  const shifted = (offset: number): number => removed.reduce((sum, [from, to]) => sum - Math.max(0, Math.min(offset, to) - from), offset);
  const marks = text.marks.map(([start, end]): Mark => [shifted(start), shifted(end)]).filter(([start, end]) => end > start);
  return { snippet, marks };
}

/** Returns a snippet with brackets around its marks, or without if the editor highlights the matches itself. */
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

/** UTF-16 units at the start of a text in which the editor highlights words in typing order. */
const EDITOR_MATCH_RANGE = 60;

/** The editor highlights the typed text where it occurs literally; near the start also words with others in between. */
function isMarkedByEditor(snippet: string, typed: string): boolean {
  const value = typed.trim().toLowerCase();
  const text = snippet.toLowerCase();
  if (value === '') return false;
  if (text.includes(value)) return true;
  const words = value.split(/\s+/);
  return words.length > 1 && areInOrder(words, text.slice(0, EDITOR_MATCH_RANGE));
}

/** Returns whether the words occur in this order, each at the start of a word. A regular expression could take exponential time to fail. */
function areInOrder(words: readonly string[], text: string): boolean {
  let at = 0;
  for (const word of words) {
    while ((at = text.indexOf(word, at)) > 0 && /[\p{L}\p{N}]$/u.test(text.slice(0, at))) at++;
    if (at < 0) return false;
    at += word.length;
  }
  return true;
}
