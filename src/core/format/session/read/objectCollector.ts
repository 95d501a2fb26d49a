/** The objects on the lines of a file, in order: the header, and the heads of all entries. */
import { defined } from '../../values/defined';
import { detectDialect, strongerEvidence, type Dialect } from '../../entry/dialect';
import { asString, type JsonObject } from '../../values/jsonValues';
import { CURRENT_VERSION, type SessionHeader } from '../../entry/entry';
import { HeadCollector } from '../../columns/headCollector';
import { parseHead, type HeadOptions } from '../../entry/parseHead';
import { parseHeader } from '../../entry/header';
import { LineProblems } from '../../parse/lineProblems';
import type { LineLocation } from '../../parse/lineLocation';
import { givenId, withGivenIds } from '../../parse/migrateLine';
import type { LoadedBytes } from '../../scanner/loadedBytes';
import type { LineCollector, ScannedLines } from '../../scanner/scannerRows';
import { readerStateOf, type LinesState } from '../../linking/readerState';
import type { Session } from '../session';
import type { OutsideFacts } from '../outsideFacts';
import type { Steps } from '../steps';

export interface ReaderOptions {
  readonly path: string;
  /** The dialect of the root, for files whose content doesn't show their program. */
  readonly rootDialect?: Dialect;
  /** The home folder, which rows show as `~`. */
  readonly home: string;
  readonly facts?: OutsideFacts;
  /** Stands for the header of a file without one. */
  readonly madeHeader?: SessionHeader;
}

/** Objects on one line whose heads take about a millisecond. */
const OBJECTS_OF_STEP = 100;

/** Size that oh-my-pi requires for its title slot, with the line break. */
export const TITLE_SLOT_BYTES = 256;

interface LocatedObject {
  readonly value: JsonObject;
  /** Position of the object in the file, in bytes. */
  readonly offset: number;
  readonly length: number;
  readonly isDamaged?: true;
}

/** The state of reading after the lines so far. */
export type ReadState = { -readonly [K in keyof Omit<LinesState, 'header' | 'beforeLastLine'>]: LinesState[K] } & {
  header?: SessionHeader;
};

export class ObjectCollector {
  readonly heads: HeadCollector;
  readonly problems = new LineProblems();
  readonly state: ReadState;
  hasGivenIds: boolean;
  /** The first object, of any type. */
  firstObject: JsonObject | undefined;
  /** The header, which comes before all entries, sets the session's folder. */
  private readonly bases: { readonly home: string; cwd: string };
  private readonly headOptions: HeadOptions;

  /** @param previous the session that reading continues */
  constructor(
    private readonly options: ReaderOptions,
    previous?: Session,
  ) {
    const known = previous && readerStateOf(previous).lines;
    this.state = known ? { ...known } : { calls: new Map(), lastId: null, objects: 0, offset: 0, line: 0, beginning: '', ending: '' };
    if (!known && options.madeHeader) this.state.header = options.madeHeader;
    this.bases = { home: options.home, cwd: this.state.header?.cwd ?? '' };
    this.heads = new HeadCollector(this.bases, this.state.calls);
    this.headOptions = { bases: this.bases, toolCallTexts: this.state.calls };
    this.hasGivenIds = previous?.hasGivenIds ?? false;
  }

  /** Scans lines of a file whose header is known; see `SessionReader.scan`. */
  scan(
    input: LoadedBytes,
    from: number,
    to: number,
    { line, offset }: { readonly line: number; readonly offset: number },
    collector: LineCollector | undefined,
  ): ScannedLines | undefined {
    const object = this.isChain ? this.state.objects + 1 : undefined;
    const scanned = this.heads.scan(input, from, to, { line, offset, ...defined({ object }) }, collector);
    this.headOptions.toolCallTexts = this.heads.calls;
    if (!scanned) return undefined;
    for (const line of scanned.evidence) this.addEvidence(line);
    if (this.isChain) this.hasGivenIds = true;
    this.state.objects += scanned.count;
    return scanned;
  }

  addLineProblem(code: 'bad-line' | 'glued-line', place: LineLocation): void {
    this.problems.add(this.state.header || code === 'glued-line' ? code : 'before-header', { line: place.line });
  }

  /** Adds the objects of a line, in steps. `rest`: the line also has a part that can't be read. */
  *add(found: readonly LocatedObject[], rest: boolean, place: LineLocation): Steps<void> {
    if (found.length > 1) this.addLineProblem('glued-line', place);
    if (rest) this.addLineProblem('bad-line', place);
    for (const [index, object] of found.entries()) {
      if (index > 0 && index % OBJECTS_OF_STEP === 0) yield;
      if (object.isDamaged) this.addDamaged(object, place);
      else this.addObject(object, place);
    }
  }

  /**
   * Programs skip the line, so it isn't counted as an object. In a file of version 1, it would have no place in the
   * chain of entries.
   */
  private addDamaged({ value, offset, length }: LocatedObject, place: LineLocation): void {
    if (!this.state.header || this.isChain) {
      this.addLineProblem('bad-line', place);
      return;
    }
    this.problems.add('damaged-line', { line: place.line }, asString(value['id']));
    this.addEntry(value, { line: place.line, offset, length });
  }

  private addObject({ value, offset, length }: LocatedObject, place: LineLocation): void {
    const { state } = this;
    this.firstObject ??= value;
    this.addEvidence(value);
    // `readLine` takes only objects with a type.
    const type = value['type'] as string;
    if (!state.header || (type === 'title' && place.line === 1)) {
      if (type === 'session' && typeof value['id'] === 'string') this.setHeader(value, place);
      else if (type === 'title' && place.line === 1) {
        state.slotTitle = asString(value['title']) ?? '';
        state.slotIsExact = place.length === TITLE_SLOT_BYTES - 1 && place.hasLineBreak;
      } else this.problems.add('before-header', { line: place.line });
      return;
    }
    state.objects++;
    if (type === 'session') {
      this.problems.add('duplicate-header', { line: place.line });
      return;
    }
    this.addEntry(value, { line: place.line, offset, length });
  }

  private addEvidence(line: JsonObject): void {
    const evidence = strongerEvidence(this.state.evidence, detectDialect(line));
    if (evidence) this.state.evidence = evidence;
  }

  private setHeader(value: JsonObject, place: LineLocation): void {
    const { version, cwd } = (this.state.header = parseHeader(value));
    this.bases.cwd = cwd;
    if (version !== undefined && version > CURRENT_VERSION) this.problems.add('future-version', { line: place.line, version });
  }

  private addEntry(value: JsonObject, place: { line: number; offset: number; length: number }): void {
    const { state } = this;
    const own = asString(value['id']);
    const chained = this.isChain || own === undefined || own === '';
    if (chained) this.hasGivenIds = true;
    if (chained && !this.isChain) this.problems.add('no-id', { line: place.line });
    const id = chained ? givenId(state.objects) : own;
    const parentId = chained ? this.lastId : (asString(value['parentId']) ?? null);
    const head = parseHead(
      chained ? withGivenIds(value) : value,
      { id, parentId, line: place.line, offset: place.offset, length: place.length },
      this.headOptions,
    );
    this.heads.add(head);
    state.lastId = id;
    if (head.type === 'session_info') this.setName(head.label);
  }

  /** True for files of version 1, in which each entry is the child of the previous one. */
  private get isChain(): boolean {
    return (this.state.header?.version ?? 1) < 2;
  }

  get lastId(): string | null {
    return this.heads.lastId ?? this.state.lastId;
  }

  private setName(label: string | undefined): void {
    const trimmed = label?.trim();
    if (trimmed) this.state.infoName = trimmed;
    else if (this.dialect() !== 'gsd') delete this.state.infoName;
  }

  dialect(): Dialect {
    return this.options.facts?.dialect ?? this.state.evidence ?? this.options.rootDialect ?? 'pi';
  }
}
