/** Parses oh-my-pi's patches by line numbers and hashes, its edit mode `hashline`, in steps. FORMAT section 2. */
import { defined } from '../../values/defined';
import { lastOf } from '../../values/lookups';
import type { Steps } from '../../session/steps';
import { HASHED_MOVE, HASHED_SECTION } from '../../toolCalls/patchedFiles';
import { unquoted } from '../../toolCalls/quotedPatch';
import type { HunkLine } from './fileEdit';
import { eachLine, type FilePatch } from './patchText';

interface Section {
  readonly file: string;
  operation: FilePatch['operation'];
  movedTo?: string;
  readonly hunks: { readonly lines: HunkLine[] }[];
  /** The files whose cut lines are put here. */
  readonly pastedFrom: Set<string>;
}

/** `CUT 5.=6 @name`, `CUT 5*`: takes lines out of the file and keeps them, by default without a name. */
const CUT = /^CUT\s+[^\s@]+\s*(?:@(\S+))?\s*$/;
/** `PUT >1 @name`, `PUT >$`: puts kept lines there. A colon in its place would begin rows of text. */
const PASTE = /^PUT\s+[^\s@:]+\s*(?:@(\S+))?\s*$/;
/** The name of lines that were kept without a name. */
const NO_NAME = '';

/**
 * Parses such a patch. Only the added lines of each operation are taken: the numbers belong to a text that isn't recorded, and
 * the result has the difference.
 */
export function* parseHashedPatch(text: string): Steps<FilePatch[]> {
  const sections: Section[] = [];
  /** The file that lines were cut from, by the name under which they're kept for the whole patch. */
  const kept = new Map<string, string>();
  yield* eachLine(text, (line) => {
    const header = HASHED_SECTION.exec(line.trim());
    const section = sections.at(-1);
    if (header) sections.push({ file: (header[1] ?? header[2] ?? '').trim(), operation: 'update', hunks: [], pastedFrom: new Set() });
    else if (!section) return;
    else if (line.startsWith('+')) {
      if (section.hunks.length === 0) section.hunks.push({ lines: [] });
      lastOf(section.hunks).lines.push({ sign: '+', text: line.slice(1) });
    } else if (/^REM\s*$/.test(line)) section.operation = 'delete';
    else if (line.startsWith(HASHED_MOVE)) section.movedTo = unquoted(line.slice(HASHED_MOVE.length).trim());
    else {
      if (section.hunks.length === 0 || lastOf(section.hunks).lines.length > 0) section.hunks.push({ lines: [] });
      const [cut, paste] = line.length > MAX_LINE ? [] : [CUT.exec(line), PASTE.exec(line)];
      if (cut) kept.set(cut[1] ?? NO_NAME, section.file);
      const from = paste ? kept.get(paste[1] ?? NO_NAME) : undefined;
      if (from !== undefined) section.pastedFrom.add(from);
    }
  });
  return sections.map(({ pastedFrom, hunks, ...section }) => {
    const typed = hunks.flatMap(({ lines }) => lines.map((line) => line.text));
    return {
      ...section,
      hunks: hunks.filter(({ lines }) => lines.length > 0),
      ...defined({ pasted: pastedFrom.size > 0 ? { from: [...pastedFrom], typed } : undefined }),
    };
  });
}

/** UTF-16 units: a longer line is no operation. */
const MAX_LINE = 1_000;
