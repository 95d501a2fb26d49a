/** Builds a session from the lines of a file, in order. The source of the bytes doesn't matter. */
import { defined } from '../entry/defined';
import { DIALECT_FACTS, detectDialect, strongerEvidence, type Dialect } from '../entry/dialect';
import { asString, CURRENT_VERSION, type JsonObject, type SessionHeader } from '../entry/entry';
import { excerptEnd, excerpt } from '../text/excerpt';
import { HeadCollector } from '../columns/headCollector';
import type { HeadTable } from '../columns/headTable';
import { parseHead, type EntryHead, type HeadOptions } from '../entry/entryHead';
import { parseHeader } from '../entry/header';
import { LineProblems } from '../parse/lineProblems';
import type { LineLocation } from '../parse/lineLocation';
import type { LongLineResult } from '../parse/longLineParser';
import { givenId, withGivenIds } from '../parse/migrateLine';
import { problem, type Problem } from '../entry/problem';
import { FullReadRequired, notASession } from '../parse/readErrors';
import { objectLocations, readLine } from '../parse/readLine';
import type { LoadedBytes, ScannedLines } from '../scanner/scannerRows';
import { linkSession } from '../linking/linkSession';
import { readerStateOf, type LinesState } from '../linking/readerState';
import { ARCHIVED, isArchivedSession } from './archivedSession';
import type { Session, SessionMarks } from './session';

/** Facts about a session that its program keeps beside the lines. */
export interface OutsideFacts {
  /** The program, whatever the lines look like. Without it, the lines show it. */
  readonly dialect?: Dialect;
  readonly name?: string;
  /** The path of the session that this one was forked from, or that it continues. */
  readonly parentSession?: string;
  /** Counts if it's an entry. */
  readonly leafId?: string;
  readonly marks: SessionMarks;
}

export interface ReaderOptions {
  readonly path: string;
  /** The dialect of the root, for files whose content doesn't show their program. */
  readonly rootDialect?: Dialect;
  /** The home folder, which rows show as `~`. */
  readonly home: string;
  readonly facts?: OutsideFacts;
}

/** Length of the remembered beginning and ending of a file, in UTF-16 units. A title slot fits. */
const FINGERPRINT_LENGTH = 256;
/** Minimum number of bytes that are remembered of a line whose text isn't available. */
export const FINGERPRINT_BYTES = 1024;

/** Size that oh-my-pi requires for its title slot, with the line break. */
export const TITLE_SLOT_BYTES = 256;

interface LocatedObject {
  readonly value: JsonObject;
  /** Position of the object in the file, in bytes. */
  readonly offset: number;
  readonly length: number;
  readonly isDamaged?: true;
}

type MutableState = { -readonly [K in keyof Omit<LinesState, 'header' | 'beforeLastLine'>]: LinesState[K] } & { header?: SessionHeader };

export class SessionReader {
  private readonly heads: HeadCollector;
  private readonly problems = new LineProblems();
  private hasGivenIds: boolean;
  private size: number;
  /** The last complete line, or the bytes at its end; `undefined` before the first one. */
  private lastText: string | Uint8Array | undefined;
  private firstObject: JsonObject | undefined;
  /** The session without a last line that has no line break. */
  private beforeLastLine: Session | undefined;
  private readonly state: MutableState;
  /** The header, which comes before all entries, sets the session's folder. */
  private readonly bases: { readonly home: string; cwd: string };
  private readonly headOptions: HeadOptions;

  /** @param previous the session that reading continues; without it the file is read from its start */
  constructor(
    private readonly options: ReaderOptions,
    private readonly previous?: Session,
  ) {
    const known = previous && readerStateOf(previous).lines;
    this.state = known ? { ...known } : { calls: new Map(), lastId: null, objects: 0, offset: 0, line: 0, beginning: '', ending: '' };
    this.bases = { home: options.home, cwd: known?.header.cwd ?? '' };
    this.heads = new HeadCollector(this.bases, this.state.calls);
    this.headOptions = { bases: this.bases, toolCallTexts: this.state.calls };
    this.hasGivenIds = previous?.hasGivenIds ?? false;
    this.size = known?.offset ?? 0;
  }

  /**
   * Adds the next line. A line without a line break must be the last one.
   *
   * @param bytes the bytes that the text was decoded from
   */
  add(text: string, place: LineLocation, bytes?: Uint8Array): void {
    if (place.line === 1 && place.hasLineBreak) this.state.beginning = excerpt(text, FINGERPRINT_LENGTH);
    const read = readLine(text, place.length);
    if (!place.hasLineBreak) {
      if (read.kind !== 'objects' || read.rest || read.objects.some(({ isDamaged }) => isDamaged)) {
        if (read.kind !== 'blank') this.problems.add(problem('torn-line', { line: place.line }));
        return;
      }
      if (this.state.header) this.beforeLastLine = this.build();
    }
    this.size = place.offset + place.length + (place.hasLineBreak ? 1 : 0);
    if (read.kind === 'bad') {
      this.firstObject ??= read.value;
      this.addLineProblem('bad-line', place);
    }
    if (read.kind === 'objects') {
      const places = objectLocations(read.objects, text, place, bytes);
      this.objects(
        read.objects.map(({ value, isDamaged }, index) => ({
          value,
          offset: places[index]!.offset,
          length: places[index]!.length,
          ...(isDamaged ? { isDamaged } : {}),
        })),
        read.rest,
        place,
      );
    }
    if (place.hasLineBreak) this.endLine(place.line, text);
  }

  /** Adds a line that is too long to be held as text. Its objects have only what heads need. */
  addLong({ objects, hasUnreadable: rest, ending: end }: LongLineResult, place: LineLocation): void {
    if (!place.hasLineBreak) {
      if (objects.length === 0 || rest) {
        this.problems.add(problem('torn-line', { line: place.line }));
        return;
      }
      if (this.state.header) this.beforeLastLine = this.build();
    }
    this.size = place.offset + place.length + (place.hasLineBreak ? 1 : 0);
    if (objects.length === 0 && rest) this.addLineProblem('bad-line', place);
    const whole = objects.length === 1 ? { offset: place.offset, length: place.length } : undefined;
    const found = objects.map(({ value, start, end }) => ({ value, ...(whole ?? { offset: place.offset + start, length: end - start }) }));
    if (found.length > 0) this.objects(found, rest, place);
    if (place.hasLineBreak) this.endLine(place.line, end ?? '');
  }

  /** Skips a line that is too long to be read, and reports it. */
  skip(place: LineLocation): void {
    this.problems.add(problem('long-line', { line: place.line, bytes: place.length }));
    this.size = place.offset + place.length + (place.hasLineBreak ? 1 : 0);
    if (place.hasLineBreak) this.endLine(place.line, '');
  }

  /**
   * Scans lines from `from` to `to` in the loaded bytes. The line after them must be given to `add`.
   *
   * @param onPendingWords called for each message whose searchable words the scanner doesn't collect, with its offset;
   *   without it no words are collected
   * @returns `undefined` if the first line isn't one that the scanner takes
   */
  scan(
    input: LoadedBytes,
    from: number,
    to: number,
    { line, offset }: { readonly line: number; readonly offset: number },
    onPendingWords?: (message: JsonObject, offset: number) => void,
  ): ScannedLines | undefined {
    // Appended lines are few, and their parents may not be among the rows.
    if (this.previous || !this.state.header) return undefined;
    const first = { line, offset, ...(this.isChain ? { object: this.state.objects + 1 } : {}) };
    const scanned = this.heads.scan(input, from, to, first, onPendingWords);
    this.headOptions.toolCallTexts = this.heads.calls;
    if (!scanned) return undefined;
    for (const line of scanned.tellingLines) this.addEvidence(line);
    if (this.isChain) this.hasGivenIds = true;
    this.state.objects += scanned.count;
    this.size = offset + scanned.end - from;
    this.endLine(line + scanned.count - 1, input.copy(Math.max(from, scanned.end - 1 - FINGERPRINT_BYTES), scanned.end - 1));
    return scanned;
  }

  private endLine(line: number, text: string | Uint8Array): void {
    this.state.offset = this.size;
    this.state.line = line;
    this.lastText = text;
  }

  /**
   * Returns the session of all lines so far.
   *
   * @throws {SessionError} `not-a-session` if there was no header
   */
  session(): Session {
    return this.build(this.heads.table());
  }

  /** Adds problems that only the source of the lines knows. */
  report(problems: readonly Problem[]): void {
    for (const one of problems) this.problems.add(one);
  }

  private addLineProblem(code: 'bad-line' | 'glued-line', place: LineLocation): void {
    this.problems.add(problem(this.state.header || code === 'glued-line' ? code : 'before-header', { line: place.line }));
  }

  private objects(found: readonly LocatedObject[], rest: boolean, place: LineLocation): void {
    if (found.length > 1) this.addLineProblem('glued-line', place);
    if (rest) this.addLineProblem('bad-line', place);
    for (const object of found) {
      if (object.isDamaged) this.addDamaged(object, place);
      else this.addObject(object, place);
    }
  }

  /** Programs skip the line, so it isn't counted as an object. In a chain it would have no place of its own. */
  private addDamaged({ value, offset, length }: LocatedObject, place: LineLocation): void {
    if (!this.state.header || this.isChain) {
      this.addLineProblem('bad-line', place);
      return;
    }
    this.problems.add(problem('damaged-line', { line: place.line }, asString(value['id'])));
    this.addEntry(value, { line: place.line, offset, length });
  }

  private addObject({ value, offset, length }: LocatedObject, place: LineLocation): void {
    const { state } = this;
    this.firstObject ??= value;
    this.addEvidence(value);
    const type = value['type'] as string;
    if (!state.header) {
      if (type === 'session' && typeof value['id'] === 'string') this.setHeader(value, place);
      else if (type === 'title' && place.line === 1) {
        state.slotTitle = asString(value['title']) ?? '';
        state.slotIsExact = place.length === TITLE_SLOT_BYTES - 1 && place.hasLineBreak;
      } else this.problems.add(problem('before-header', { line: place.line }));
      return;
    }
    state.objects++;
    if (type === 'session') {
      this.problems.add(problem('duplicate-header', { line: place.line }));
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
    if (version !== undefined && version > CURRENT_VERSION) this.problems.add(problem('future-version', { line: place.line, version }));
  }

  private addEntry(value: JsonObject, place: { line: number; offset: number; length: number }): void {
    const { state } = this;
    const own = asString(value['id']);
    const chained = this.isChain || own === undefined || own === '';
    if (chained) this.hasGivenIds = true;
    if (chained && !this.isChain) this.problems.add(problem('no-id', { line: place.line }));
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

  private get lastId(): string | null {
    return this.heads.lastId ?? this.state.lastId;
  }

  private setName(label: string | undefined): void {
    const trimmed = label?.trim();
    if (trimmed) this.state.infoName = trimmed;
    else if (this.dialect() !== 'gsd') delete this.state.infoName;
  }

  private dialect(): Dialect {
    return this.options.facts?.dialect ?? this.state.evidence ?? this.options.rootDialect ?? 'pi';
  }

  private build(heads: HeadTable | readonly EntryHead[] = this.heads.all()): Session {
    const { header: ownHeader, ...state } = this.state;
    if (!ownHeader) throw notASession(this.options.path, this.size, this.firstObject);
    const { facts } = this.options;
    const header = facts?.parentSession === undefined ? ownHeader : { ...ownHeader, parentSession: facts.parentSession };
    const end = this.lastText === undefined ? state.ending : lineEnding(this.lastText);
    const lines = {
      ...state,
      calls: this.heads.calls,
      lastId: this.lastId,
      header,
      ending: end,
      ...(facts ? { facts: JSON.stringify(facts) } : {}),
      ...defined({ beforeLastLine: this.beforeLastLine }),
    };
    const dialect = this.dialect();
    const name =
      facts?.name ?? (DIALECT_FACTS[dialect].nameSource === 'title' ? (state.slotTitle ?? asString(header.title)) : state.infoName);
    const { path } = this.options;
    const marks = facts?.marks ?? (isArchivedSession(path, dialect) ? ARCHIVED : undefined);
    const parts = {
      path,
      dialect,
      ...(name ? { name } : {}),
      ...(marks ? { marks } : {}),
      ...(facts?.leafId === undefined ? {} : { leafId: facts.leafId }),
      problems: [...this.problems.list],
      hasGivenIds: this.hasGivenIds,
      size: this.size,
      lines,
    };
    const session = linkSession(parts, heads, this.previous);
    if (!session) throw new FullReadRequired();
    return session;
  }
}

/** @param line the text of the line, or bytes that end with it */
function lineEnding(line: string | Uint8Array): string {
  const text = typeof line === 'string' ? line : new TextDecoder().decode(line);
  return excerptEnd(text.slice(text.lastIndexOf('\n') + 1), FINGERPRINT_LENGTH);
}
