/**
 * Extracts what the catalog keeps of a file whose messages a scanner took: the scanner combines its rows with the lines
 * that were parsed between them. The result equals that of `extractParsedLines` for the same file.
 */
import { allTexts, allValues } from '../../format/columns/stringTable';
import type { ModelRef } from '../../format/entry/entry';
import { HeadTable } from '../../format/columns/headTable';
import { COST_CELL_LENGTH, doublesOf, intsOf, ROLES, type Scanner } from '../../format/columns/scanner';
import { headsOf } from '../../format/session/headsById';
import type { Session } from '../../format/session/session';
import { touchKindOfTool, type Touch } from '../../format/entry/fileTouches';
import { isCounted, type Totals } from '../../format/session/usageTotals';
import { modelName } from '../../format/context/contextPlan';
import type { CollectedLine, ExtractedLines } from './buildLineIndex';
import type { LineWordsWriter } from './lineWords';
import { dayName, namesOf, newestTips, type SessionFacts, type UsageFact } from './sessionFacts';

const NONE = -1;
const kindOf = (kind: Touch['kind'] | undefined): number => (kind === 'read' ? 1 : kind === 'write' ? 2 : 0);

/** Reserves memory in the scanner. Views of its rows that are taken after this stay valid. */
export function prepareScannedRows(scanner: Scanner, collected: readonly CollectedLine[]): void {
  const notes = collected.reduce((sum, { tools, touches }) => sum + tools.length + touches.length, 0);
  scanner.reserveIndex(notes, notes, collected.filter(({ role }) => role === LABEL).length);
}

const LABEL = 'label';

/**
 * @param collected the lines that the scanner left to the parser
 * @returns `undefined` if the session's heads aren't the scanner's rows; then the file has to be parsed
 */
export function extractScannedRows(scanner: Scanner, session: Session, collected: readonly CollectedLine[], words: LineWordsWriter, toAbsolute: (path: string) => string): ExtractedLines | undefined {
  const table = headsOf(session);
  if (!(table instanceof HeadTable)) return undefined;
  const base = words.append(scanner.part('words'));
  const numbers = new ScannerTables(scanner, table);
  numbers.addLeftLines(collected, base);
  const files = numbers.files.strings.map(toAbsolute);
  numbers.passToScanner(files);
  const leaf = session.leafId === null ? NONE : table.ids.indexOf(session.leafId)!;
  if (!scanner.buildIndex(leaf, base)) return undefined;
  return {
    positions: intsOf(scanner.indexOutput('places')),
    lines: [],
    encodedLines: { roles: numbers.roles.strings, tools: numbers.tools, blocks: intsOf(scanner.indexOutput('blocks')), bytes: scanner.indexOutput('table') },
    touches: { paths: JSON.stringify(Array.from(intsOf(scanner.indexOutput('files')), (file) => files[file]!)), bytes: scanner.indexOutput('touches').slice() },
    usage: numbers.usage(),
    facts: numbers.facts(),
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
  private readonly targets: number[] = [];

  constructor(
    private readonly scanner: Scanner,
    private readonly table: HeadTable,
  ) {
    const { profiles, irregular } = table;
    this.files = new StringTable(allTexts(scanner.table('files')));
    this.toolNames = new StringTable(allTexts(scanner.table('tools')));
    this.roleOf = profiles.map(({ role }) => this.roles.numberOf(role ?? ''));
    this.usageModelOf = profiles.map((profile) => (profile.hasUsage && isCounted(profile) ? this.modelNumber(profile.model) : NONE));
    this.profile = scanner.ints('profile');
    for (const [row, head] of irregular) {
      this.profile[row] = this.roleOf.push(0) - 1;
      this.usageModelOf.push(head.usage && isCounted(head) ? this.modelNumber(head.model) : NONE);
    }
  }

  /** Adds the lines that were left to the parser. @param base the offset that the scanner's word ranges are relative to */
  addLeftLines(collected: readonly CollectedLine[], base: number): void {
    const { scanner, table } = this;
    const offsets = scanner.doubles('offset');
    const [wordsFrom, wordsTo] = [scanner.ints('wordsFrom'), scanner.ints('wordsTo')];
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
      if (target !== undefined) this.targets.push(row, target);
    }
  }

  /** @param paths the absolute paths of `files` */
  passToScanner(paths: readonly string[]): void {
    const { scanner } = this;
    const first = new Map<string, number>();
    for (const [file, path] of paths.entries()) if (!first.has(path)) first.set(path, file);
    scanner.setIndexInput('roles', this.roleOf);
    scanner.setIndexInput('usageSources', this.usageModelOf);
    scanner.setIndexInput('kinds', this.toolNames.strings.map((name) => kindOf(touchKindOfTool(name))));
    scanner.setIndexInput('firsts', paths.map((path) => first.get(path)!));
    scanner.setIndexInput('notes', this.notes);
    scanner.setIndexInput('targets', this.targets);
  }

  get tools(): string[] {
    return Array.from(intsOf(this.scanner.indexOutput('tools')), (tool) => this.toolNames.strings[tool]!);
  }

  usage(): UsageFact[] {
    const cells = doublesOf(this.scanner.indexOutput('cells'));
    return Array.from({ length: cells.length / COST_CELL_LENGTH }, (_, index) => {
      const cell = cells.subarray(index * COST_CELL_LENGTH, (index + 1) * COST_CELL_LENGTH);
      return { day: dayName(cell[0]!), model: this.models.strings[cell[1]!]!, ...totalsIn(cell) };
    });
  }

  facts(): SessionFacts {
    const { scanner, table } = this;
    const newest = newestTips([...intsOf(scanner.indexOutput('tips'))], (tip) => table.timeAt(tip));
    const tips = newest.map((tip) => ({ entryId: table.ids.at(tip), time: table.timeAt(tip), usage: totalsIn(scanner.ownCost(tip)) }));
    const { profiles, irregular } = table;
    const rows = allValues(scanner.table('profiles'));
    const firsts = [...profiles.map((profile, number) => [rows[number]!, profile] as const), ...irregular].sort(([a], [b]) => a - b);
    return { tips, ...namesOf(firsts.map(([, first]) => first)) };
  }

  private modelNumber(model: ModelRef | undefined): number {
    return this.models.numberOf(model ? modelName(model) : '');
  }
}

function totalsIn([, , input, output, cacheRead, cacheWrite, cost]: Float64Array): Totals {
  return { input: input!, output: output!, cacheRead: cacheRead!, cacheWrite: cacheWrite!, cost: cost! };
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
