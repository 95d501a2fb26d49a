/**
 * What the catalog keeps of a file whose messages a scanner took: the scanner puts it together, from what it has in its
 * rows and what was found on the lines between. The same as `foundOnLines` makes of the file when all of it is parsed.
 */
import { textsOf, valuesOf } from '../format/byteTable';
import type { ModelRef } from '../format/entry';
import type { HeadTable } from '../format/headTable';
import { CELL, doublesOf, intsOf, ROLES, type Scanner } from '../format/scanner';
import type { Session } from '../format/session';
import { touchOf, type Touch } from '../format/touches';
import { counts, type Totals } from '../format/usage';
import { dayName, modelName, namesOf, newestTips, type SessionFacts, type UsageFact } from './facts';
import { resolver, titleLine, type Found, type FoundLine } from './foundLines';
import { encodeLines } from './lineTable';
import type { WordBytes } from './lineWords';

const NONE = -1;
const kindOf = (kind: Touch['kind'] | undefined): number => (kind === 'read' ? 1 : kind === 'write' ? 2 : 0);

/** Makes room for it. What is asked of the rows after this stays as it is. */
export function prepareRows(scanner: Scanner, noted: readonly FoundLine[]): void {
  const notes = noted.reduce((sum, { tools, touches }) => sum + tools.length + touches.length, 0);
  scanner.prepare(notes, notes, noted.filter(({ role }) => role === LABEL).length);
}

const LABEL = 'label';

/** `noted`: the lines that the scanner left. `undefined`: it can't be told by rows. */
export function foundInRows(scanner: Scanner, session: Session, noted: readonly FoundLine[], words: WordBytes): Found | undefined {
  const { table } = session.reading.maps;
  if (!table) return undefined;
  const title = titleLine(session);
  const titleWords = title && words.add(session.name!);
  const base = words.append(scanner.part('words'));
  const numbers = new Numbers(scanner, table);
  numbers.note(noted, base);
  const absolute = resolver(session.header.cwd);
  const files = numbers.files.list.map(absolute);
  numbers.give(files);
  const leaf = session.leafId === null ? NONE : table.ids.placeOf(session.leafId)!;
  if (!scanner.gather(leaf, base)) return undefined;
  const places = intsOf(scanner.made('places'));
  return {
    words: words.end(title && titleWords ? [title.line, titleWords.from, titleWords.to, ...places] : places),
    lines: encodeLines(title ? [title] : [], { roles: numbers.roles.list, tools: numbers.tools, blocks: intsOf(scanner.made('blocks')), bytes: scanner.made('table') }),
    touches: { paths: JSON.stringify(Array.from(intsOf(scanner.made('files')), (file) => files[file]!)), bytes: scanner.made('touches').slice() },
    usage: numbers.usage(),
    facts: numbers.facts(),
  };
}

/** Texts by number, each once. */
class Numbered {
  private numbers: Map<string, number> | undefined;

  constructor(readonly list: string[]) {}

  of(text: string): number {
    const numbers = (this.numbers ??= new Map(this.list.map((one, number) => [one, number])));
    let number = numbers.get(text);
    if (number === undefined) numbers.set(text, (number = this.list.push(text) - 1));
    return number;
  }
}

/** What stands for what: the scanner knows numbers alone. */
class Numbers {
  readonly files: Numbered;
  private readonly toolNames: Numbered;
  readonly roles = new Numbered([...ROLES]);
  private readonly models = new Numbered([]);
  /** By profile; the lines that the scanner left have profiles of their own, behind the others. */
  private readonly roleOf: number[];
  private readonly payerOf: number[];
  private readonly profile: Int32Array;
  private readonly notes: number[] = [];
  private readonly targets: number[] = [];

  constructor(
    private readonly scanner: Scanner,
    private readonly table: HeadTable,
  ) {
    const { profiles, odd } = table;
    this.files = new Numbered(textsOf(scanner.table('files')));
    this.toolNames = new Numbered(textsOf(scanner.table('tools')));
    this.roleOf = profiles.map(({ role }) => this.roles.of(role ?? ''));
    this.payerOf = profiles.map((profile) => (profile.hasUsage && counts(profile) ? this.payer(profile.model) : NONE));
    this.profile = scanner.ints('profile');
    for (const [row, head] of odd) {
      this.profile[row] = this.roleOf.push(0) - 1;
      this.payerOf.push(head.usage && counts(head) ? this.payer(head.model) : NONE);
    }
  }

  /** The lines that the scanner left. Words are told from `base` on. */
  note(noted: readonly FoundLine[], base: number): void {
    const { scanner, table } = this;
    const offsets = scanner.doubles('offset');
    const [wordsFrom, wordsTo] = [scanner.ints('wordsFrom'), scanner.ints('wordsTo')];
    let row = 0;
    for (const { offset, role, from, to, touches, tools } of noted) {
      row = rowAt(offsets, offset, row);
      // What became no entry.
      if (offsets[row] !== offset) continue;
      wordsFrom[row] = from - base;
      wordsTo[row] = to - base;
      for (const tool of tools) this.notes.push(row, this.toolNames.of(tool), NONE, 0);
      for (const { file, kind } of touches) this.notes.push(row, NONE, this.files.of(file), kindOf(kind));
      const head = table.odd.get(row);
      if (!head) continue;
      this.roleOf[this.profile[row]!] = this.roles.of(role);
      const target = head.type === LABEL && typeof head.targetId === 'string' ? table.ids.placeOf(head.targetId) : undefined;
      if (target !== undefined) this.targets.push(row, target);
    }
  }

  /** `paths`: of the files. */
  give(paths: readonly string[]): void {
    const { scanner } = this;
    const first = new Map<string, number>();
    for (const [file, path] of paths.entries()) if (!first.has(path)) first.set(path, file);
    scanner.give('roles', this.roleOf);
    scanner.give('payers', this.payerOf);
    scanner.give('kinds', this.toolNames.list.map((name) => kindOf(touchOf(name))));
    scanner.give('firsts', paths.map((path) => first.get(path)!));
    scanner.give('notes', this.notes);
    scanner.give('targets', this.targets);
  }

  get tools(): string[] {
    return Array.from(intsOf(this.scanner.made('tools')), (tool) => this.toolNames.list[tool]!);
  }

  usage(): UsageFact[] {
    const cells = doublesOf(this.scanner.made('cells'));
    return Array.from({ length: cells.length / CELL }, (_, index) => {
      const cell = cells.subarray(index * CELL, (index + 1) * CELL);
      return { day: dayName(cell[0]!), model: this.models.list[cell[1]!]!, ...totalsIn(cell) };
    });
  }

  facts(): SessionFacts {
    const { scanner, table } = this;
    const newest = newestTips([...intsOf(scanner.made('tips'))], (tip) => table.time(tip));
    const tips = newest.map((tip) => ({ entryId: table.ids.at(tip), time: table.time(tip), usage: totalsIn(scanner.takenBy(tip)) }));
    const { profiles, odd } = table;
    const rows = valuesOf(scanner.table('profiles'));
    const firsts = [...profiles.map((profile, number) => [rows[number]!, profile] as const), ...odd].sort(([a], [b]) => a - b);
    return { tips, ...namesOf(firsts.map(([, first]) => first)) };
  }

  private payer(model: ModelRef | undefined): number {
    return this.models.of(model ? modelName(model) : '');
  }
}

function totalsIn([, , input, output, cacheRead, cacheWrite, cost]: Float64Array): Totals {
  return { input: input!, output: output!, cacheRead: cacheRead!, cacheWrite: cacheWrite!, cost: cost! };
}

/** The row at or behind an offset, from a row on. */
function rowAt(offsets: Float64Array, offset: number, from: number): number {
  let [low, high] = [from, offsets.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (offsets[middle]! < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}
