/** Line breaks in the cells of Markdown tables, which have no other way to have several lines than `<br>`. */
import type { MarkdownIt } from 'markdown-it';

const BREAK = /<br(?: ?\/)?>/iy;

/** Installs the breaks. Call it once for each instance. Everywhere else, `<br>` stays text. */
export function breakCells(md: MarkdownIt): void {
  /** The lists into which the tokens of cells are put. */
  const cells = new WeakSet<object>();
  md.core.ruler.before('inline', 'cells', ({ tokens }) => {
    for (const [index, { type }] of tokens.entries()) {
      const children = type === 'td_open' || type === 'th_open' ? tokens[index + 1]?.children : undefined;
      if (children) cells.add(children);
    }
  });
  md.inline.ruler.before('autolink', 'breaks', (state, silent) => {
    if (state.src[state.pos] !== '<' || !cells.has(state.tokens)) return false;
    BREAK.lastIndex = state.pos;
    const [all = ''] = BREAK.exec(state.src) ?? [];
    if (all === '') return false;
    if (!silent) state.push('hardbreak', 'br', 0);
    state.pos += all.length;
    return true;
  });
}
