/**
 * Markdown blocks whose cost isn't bounded by the length of their text stay text. A line that many quotes or lists are
 * around is looked at once for each of them; deeper than 100, markdown-it leaves the text out. The cells that a table's
 * rows lack are added to each of them, so 1200 characters can make 65,000 cells, in each of many tables.
 */
import type { MarkdownIt, StateBlock } from 'markdown-it';

/** Quotes within each other; a list counts twice. What stands deeper is a paragraph. */
const MAX_NESTING = 20;
/** In all tables of a text. Those in which it has more are paragraphs. */
const MAX_TABLE_CELLS = 5000;

/** To be called once for an instance. */
export function limitBlocks(md: MarkdownIt): void {
  const cells = new WeakMap<object, number>();

  /** A table may end earlier than at a blank line: then it counts for more than it has. */
  function isLargeTable(state: StateBlock, start: number, last: number): boolean {
    if (start + 2 > last) return false;
    const delimiters = state.src.slice(state.bMarks[start + 1]! + state.tShift[start + 1]!, state.eMarks[start + 1]);
    if (!delimiters.includes('-') || /[^|:\s-]/.test(delimiters)) return false;
    const columns = delimiters.match(/-+/g)!.length;
    const before = cells.get(state.env) ?? 0;
    // Not counted further than to what would be too many.
    const end = endOfParagraph(state, start, Math.min(last, start + Math.ceil(MAX_TABLE_CELLS / columns) + 1));
    const count = before + columns * (end - start);
    if (count <= MAX_TABLE_CELLS) cells.set(state.env, count);
    return count > MAX_TABLE_CELLS;
  }

  md.block.ruler.before('table', 'bounded', (state, start, last) => {
    if (state.level < MAX_NESTING && !isLargeTable(state, start, last)) return false;
    const end = endOfParagraph(state, start, last);
    const content = state.getLines(start, end, state.blkIndent, false).trim();
    state.line = end;
    const map: [number, number] = [start, end];
    state.push('paragraph_open', 'p', 1).map = map;
    Object.assign(state.push('inline', '', 0), { content, map, children: [] });
    state.push('paragraph_close', 'p', -1);
    return true;
  });
}

/** The line of the next blank one, or of one that the list around doesn't reach to. */
function endOfParagraph(state: StateBlock, start: number, last: number): number {
  let line = start + 1;
  while (line < last && !state.isEmpty(line) && !(state.sCount[line]! >= 0 && state.sCount[line]! < state.blkIndent)) line++;
  return line;
}
