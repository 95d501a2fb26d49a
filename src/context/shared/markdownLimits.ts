/**
 * Limits for Markdown blocks whose cost isn't bounded by the length of their text. Beyond the limits, the text becomes
 * a paragraph. markdown-it visits a line once for each quote or list around it, and drops text nested deeper than 100
 * levels. It adds the cells that a table's rows lack, so 1200 characters can produce 65,000 cells, in each of many
 * tables.
 */
import type { MarkdownIt, StateBlock } from 'markdown-it';

/** Nested quotes; a list counts twice. Deeper blocks become paragraphs. */
const MAX_NESTING = 20;
/** The number of cells in all tables of a text. Tables beyond it become paragraphs. */
const MAX_TABLE_CELLS = 5000;

/** Installs the limits. Call it once for each instance. */
export function limitBlocks(md: MarkdownIt): void {
  const cells = new WeakMap<object, number>();

  /**
   * Estimates the cells from the lines up to the next blank one. A table may end earlier; then the estimate is too
   * high.
   */
  function isLargeTable(state: StateBlock, start: number, last: number): boolean {
    if (start + 2 > last) return false;
    const delimiters = state.src.slice(state.bMarks[start + 1]! + state.tShift[start + 1]!, state.eMarks[start + 1]);
    if (!delimiters.includes('-') || /[^|:\s-]/.test(delimiters)) return false;
    const columns = delimiters.match(/-+/g)?.length ?? 0;
    const before = cells.get(state.env) ?? 0;
    // Stops counting at the first row that exceeds the limit.
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

/** Returns the line at which the paragraph ends: a blank line, or a line that the enclosing list doesn't contain. */
function endOfParagraph(state: StateBlock, start: number, last: number): number {
  let line = start + 1;
  while (line < last && !state.isEmpty(line) && !(state.sCount[line]! >= 0 && state.sCount[line]! < state.blkIndent)) line++;
  return line;
}
