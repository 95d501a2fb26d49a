/** The blocks of a text in Markdown, as far as it matters which of them are prose of their writer. */

type BlockKind = 'prose' | 'heading' | 'list' | 'quote' | 'code' | 'table' | 'rule';

export interface TextBlock {
  readonly kind: BlockKind;
  /** Its lines, without the marks of lists. */
  readonly lines: readonly string[];
}

const FENCE = /^ {0,3}(`{3,}|~{3,})/;
const ITEM = /^\s*(?:[-*+\u2022]|\(?(?:\d{1,3}|\p{L})[.)])\s+/u;
/** The first of these that fits is the kind of a line. */
const KINDS: readonly (readonly [BlockKind, RegExp])[] = [
  ['rule', /^\s*(?:-{3,}|\*{3,}|_{3,})\s*$/],
  ['quote', /^\s*>/],
  ['table', /^\s*\|/],
  ['heading', /^ {0,3}#{1,6}\s/],
  ['list', ITEM],
];

/** Splits a text into its blocks. Takes time by its length. */
export function textBlocks(text: string): TextBlock[] {
  const blocks: { kind: BlockKind; lines: string[] }[] = [];
  let fence: string | undefined;
  let isNew = true;
  for (const line of text.split(/\r?\n/)) {
    const mark = FENCE.exec(line)?.[1];
    if (fence !== undefined) {
      if (mark !== undefined && mark.startsWith(fence)) fence = undefined;
    } else if (mark !== undefined) {
      fence = mark;
      blocks.push({ kind: 'code', lines: [] });
      isNew = true;
    } else if (line.trim() === '') isNew = true;
    else {
      const last = blocks.at(-1);
      const kind = KINDS.find(([, pattern]) => pattern.test(line))?.[0] ?? 'prose';
      // A line that isn't the start of another block continues the one above it; an indented one continues a list below a blank line.
      const continues =
        last && (kind === last.kind ? kind !== 'heading' : kind === 'prose' && (last.kind === 'list' || last.kind === 'quote'));
      const content = kind === 'list' ? line.replace(ITEM, '') : line;
      if (last && continues && (!isNew || (last.kind === 'list' && (kind === 'list' || /^\s{2,}/.test(line)))))
        last.lines.push(content.trim());
      else blocks.push({ kind, lines: [content.trim()] });
      isNew = false;
    }
  }
  return blocks;
}
