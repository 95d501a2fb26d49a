/**
 * Extracts what the catalog keeps of a file whose messages a scanner took: the scanner combines its rows with the lines
 * that were parsed between them. The result equals that of `extractParsedLines` for the same file.
 */
import { allTexts } from '../../format/columns/stringTable';
import type { ModelRef } from '../../format/entry/usage';
import { HeadTable } from '../../format/columns/headTable';
import type { BuiltIndex, IndexBuilder, IndexInputs } from '../../format/scanner/scannerIndex';
import { doublesOf, intsOf } from '../../format/scanner/byteViews';
import { COST_CELL_LENGTH, CostField, TouchKind } from '../../format/scanner/indexLayout';
import { NONE } from '../../format/scanner/scannerLayout';
import { ROLES, type ScannedRows } from '../../format/scanner/scannerRows';
import { billedModel } from '../../format/entry/usage';
import { headsOf } from '../../format/linking/headsById';
import type { Session } from '../../format/session/session';
import { touchKindOfTool, type Touch } from '../../format/toolCalls/fileTouches';
import { isCounted, type Totals } from '../../format/session/usageTotals';
import { modelName } from '../../format/context/contextPlan';
import { elementAt } from '../../format/entry/lookups';
import type { CollectedLine, ExtractedLines } from './buildLineIndex';
import type { LineWordsWriter } from './lineWords';
import { dayName, type UsageFact } from './sessionFacts';

const kindOf = (kind: Touch['kind'] | undefined): TouchKind => TouchKind[kind ?? 'none'];

/** Seals the rows and reserves memory for the index of them and of the lines that the scanner left to the parser. */
export function prepareIndex(rows: ScannedRows, collected: readonly CollectedLine[]): IndexBuilder {
  const notes = collected.reduce((sum, { tools, touches }) => sum + tools.length + touches.length, 0);
  return rows.prepareIndex({ names: notes, notes, labelTargets: collected.filter(({ role }) => role === LABEL).length });
}

const LABEL = 'label';

/**
 * @param collected the lines that the scanner left to the parser
 * @param words absent if words are left for later
 * @returns `undefined` if the session's heads aren't the scanner's rows; then the file has to be parsed
 */
export function extractScannedRows(
  rows: ScannedRows,
  builder: IndexBuilder,
  session: Session,
  collected: readonly CollectedLine[],
  words: LineWordsWriter | undefined,
  toAbsolute: (path: string) => string,
): ExtractedLines | undefined {
  const table = headsOf(session);
  if (!(table instanceof HeadTable && rows.hasAllIds)) return undefined;
  const base = words?.append(rows.part('words')) ?? 0;
  const numbers = new ScannerTables(rows, table);
  numbers.addLeftLines(collected, base);
  const files = numbers.files.strings.map(toAbsolute);
  const leaf = (session.leafId === null ? undefined : table.ids.indexOf(session.leafId)) ?? NONE;
  const built = builder.build(numbers.inputs(files), leaf, base);
  if (!built) return undefined;
  return {
    positions: intsOf(built.output('wordPositions')),
    lines: [],
    encodedLines: {
      roles: numbers.roles.strings,
      tools: numbers.toolsOf(built),
      blocks: intsOf(built.output('blocks')),
      bytes: built.output('lines'),
    },
    touches: {
      paths: JSON.stringify(Array.from(intsOf(built.output('usedFiles')), (file) => elementAt(files, file))),
      bytes: built.output('touches').slice(),
    },
    usage: numbers.usage(built),
  };
}

/** Interned strings, numbered in the order of their first use. */
class StringTable {
  private numbers: Map<string, number> | undefined;

  constructor(readonly strings: string[]) {}

  numberOf(text: string): number {
    const numbers = (this.numbers ??= new Map(this.strings.map((one, number) => [one, number])));
    let number = numbers.get(text);
    if (number === undefined) numbers.set(text, (number = this.strings.push(text) - 1));
    return number;
  }
}

/** Maps between strings and the numbers that the scanner uses for them. */
class ScannerTables {
  readonly files: StringTable;
  private readonly toolNames: StringTable;
  readonly roles = new StringTable([...ROLES]);
  private readonly models = new StringTable([]);
  /** By profile. The lines that were left to the parser have profiles of their own after the others. */
  private readonly roleOf: number[];
  private readonly usageModelOf: number[];
  private readonly profile: Int32Array;
  private readonly notes: number[] = [];
  private readonly labelTargets: number[] = [];

  constructor(
    private readonly rows: ScannedRows,
    private readonly table: HeadTable,
  ) {
    const { profiles, irregular } = table;
    this.files = new StringTable(allTexts(rows.table('files')));
    this.toolNames = new StringTable(allTexts(rows.table('tools')));
    this.roleOf = profiles.map(({ role }) => this.roles.numberOf(role ?? ''));
    this.usageModelOf = profiles.map((profile) => (profile.hasUsage && isCounted(profile) ? this.modelNumber(billedModel(profile)) : NONE));
    this.profile = rows.ints('profile');
    for (const [row, head] of irregular) {
      this.profile[row] = this.roleOf.push(this.roles.numberOf(head.role === 'user' ? head.role : '')) - 1;
      this.usageModelOf.push(head.usage && isCounted(head) ? this.modelNumber(billedModel(head)) : NONE);
    }
  }

  /** Adds the lines that were left to the parser. @param base the offset that the scanner's word ranges are relative to */
  addLeftLines(collected: readonly CollectedLine[], base: number): void {
    const { rows, table } = this;
    const offsets = rows.doubles('offset');
    const [wordsFrom, wordsTo] = [rows.ints('wordsFrom'), rows.ints('wordsTo')];
    let row = 0;
    for (const { offset, role, from, to, touches, tools } of collected) {
      row = rowAt(offsets, offset, row);
      // The line became no entry.
      if (offsets[row] !== offset) continue;
      wordsFrom[row] = from - base;
      wordsTo[row] = to - base;
      for (const tool of tools) this.notes.push(row, this.toolNames.numberOf(tool), NONE, 0);
      for (const { file, kind } of touches) this.notes.push(row, NONE, this.files.numberOf(file), kindOf(kind));
      const head = table.irregular.get(row);
      if (!head) continue;
      this.roleOf[this.profile[row]!] = this.roles.numberOf(role);
      const target = head.type === LABEL && typeof head.targetId === 'string' ? table.ids.indexOf(head.targetId) : undefined;
      if (target !== undefined) this.labelTargets.push(row, target);
    }
  }

  /** Returns the inputs of the index builder. `paths`: the absolute path of each file. */
  inputs(paths: readonly string[]): IndexInputs {
    const first = new Map<string, number>();
    const canonicalFiles = paths.map((path, file) => {
      const known = first.get(path);
      if (known === undefined) first.set(path, file);
      return known ?? file;
    });
    return {
      roles: this.roleOf,
      usageSources: this.usageModelOf,
      toolKinds: this.toolNames.strings.map((name) => kindOf(touchKindOfTool(name))),
      canonicalFiles,
      notes: this.notes,
      labelTargets: this.labelTargets,
    };
  }

  toolsOf(built: BuiltIndex): string[] {
    return Array.from(intsOf(built.output('usedTools')), (tool) => elementAt(this.toolNames.strings, tool));
  }

  usage(built: BuiltIndex): UsageFact[] {
    const cells = doublesOf(built.output('costCells'));
    return Array.from({ length: cells.length / COST_CELL_LENGTH }, (_, index) => {
      const cell = cells.subarray(index * COST_CELL_LENGTH, (index + 1) * COST_CELL_LENGTH);
      return { day: dayName(cell[CostField.day]!), model: elementAt(this.models.strings, cell[CostField.usageSource]!), ...totalsIn(cell) };
    });
  }

  private modelNumber(model: ModelRef | undefined): number {
    return this.models.numberOf(model ? modelName(model) : '');
  }
}

function totalsIn(cell: Float64Array): Totals {
  return {
    input: cell[CostField.input]!,
    output: cell[CostField.output]!,
    cacheRead: cell[CostField.cacheRead]!,
    cacheWrite: cell[CostField.cacheWrite]!,
    cost: cell[CostField.cost]!,
  };
}

/** The first row at or after an offset, searched from a row on. */
function rowAt(offsets: Float64Array, offset: number, from: number): number {
  let [low, high] = [from, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
