/** The searchable content of a file's lines, of both scanned and parsed lines. */
import { allTexts } from '../../format/columns/stringTable';
import { elementAt } from '../../format/values/lookups';
import { intsOf } from '../../format/scanner/byteViews';
import { CALL_LENGTH, CallField, NONE } from '../../format/scanner/scannerLayout';
import { roleOfProfile } from '../../format/scanner/scannedProfiles';
import type { ScannedRows } from '../../format/scanner/scannerRows';
import { touchKindOfTool, type Touch } from '../../format/toolCalls/fileTouches';

/** The searchable content of one line, collected while the file is read. */
export interface CollectedLine {
  /** The offset of the line's object in the file, in bytes. */
  readonly offset: number;
  readonly role: string;
  /** The range of its words in the writer's bytes; empty if it has none. */
  readonly from: number;
  readonly to: number;
  readonly touches: readonly Touch[];
  /** The tools that it calls, without repetitions. */
  readonly tools: readonly string[];
}

/**
 * Yields the lines with text, tools or touched files, in file order.
 *
 * @param rows the scanner's rows of the file, which have a row for each entry
 * @param parsed the lines that the scanner left to the parser
 * @param wordsStart the offset of the scanner's words in the writer's bytes
 */
export function* collectedLines(rows: ScannedRows, parsed: readonly CollectedLine[], wordsStart: number): Generator<CollectedLine> {
  const offsets = rows.doubles('offset');
  const [profile, wordsFrom, wordsTo] = [rows.ints('profile'), rows.ints('wordsFrom'), rows.ints('wordsTo')];
  // All lines with words that aren't messages are of extensions.
  const roles = allTexts(rows.table('profiles')).map((profile) => roleOfProfile(profile) || 'custom_message');
  const callsOf = callReader(rows);
  let next = 0;
  for (let row = 0; row < offsets.length; row++) {
    const offset = offsets[row]!;
    const { touches, tools } = callsOf(row);
    // A line that became no entry has no row.
    while (next < parsed.length && elementAt(parsed, next).offset < offset) next++;
    if (next < parsed.length && elementAt(parsed, next).offset === offset) {
      yield elementAt(parsed, next++);
      continue;
    }
    const [from, to] = [wordsFrom[row]!, wordsTo[row]!];
    if (profile[row] === NONE || (from === to && tools.length + touches.length === 0)) continue;
    yield { offset, role: elementAt(roles, profile[row]!), from: from + wordsStart, to: to + wordsStart, touches, tools };
  }
}

type Calls = Pick<CollectedLine, 'touches' | 'tools'>;

const NO_CALLS: Calls = { touches: [], tools: [] };

/** Returns a function that gives the calls of a row. Call it for each row, in order. */
function callReader(rows: ScannedRows): (row: number) => Calls {
  const calls = intsOf(rows.part('toolCalls'));
  const [names, files] = [allTexts(rows.table('tools')), allTexts(rows.table('files'))];
  const kinds = names.map(touchKindOfTool);
  let at = 0;
  return (row) => {
    if (calls[at + CallField.row] !== row) return NO_CALLS;
    const touches: Touch[] = [];
    const tools: string[] = [];
    for (; calls[at + CallField.row] === row; at += CALL_LENGTH) {
      const [tool, file] = [calls[at + CallField.tool]!, calls[at + CallField.file]!];
      if (tool === NONE) continue;
      const name = elementAt(names, tool);
      if (!tools.includes(name)) tools.push(name);
      const kind = file === NONE ? undefined : kinds[tool];
      if (kind) touches.push({ file: elementAt(files, file), kind });
    }
    return { touches, tools };
  };
}
