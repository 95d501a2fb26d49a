/**
 * The lines of a file, one after the other → a session. It knows nothing of where the bytes come from.
 */
import { DIALECT_FACTS, detectDialect, type Dialect } from '../entry/dialect';
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
import { problem } from '../entry/problem';
import { FullReadRequired, notASession } from '../parse/readErrors';
import { objectLocations, readLine } from '../parse/readLine';
import type { LoadedBytes, ScannedLines } from '../columns/scannerRows';
import { linkSession } from '../linking/linkSession';
import { readerStateOf, type LinesState } from '../linking/readerState';
import type { Session } from './session';

export interface ReaderOptions {
  readonly path: string;
  /** What the folder says about files that do not tell by themselves. */
  readonly rootDialect?: Dialect;
  /** The home folder, written as `~` in rows. */
  readonly home: string;
}

/** How much of a file's beginning and ending is remembered, in UTF-16 units; a title slot fits. */
const FINGERPRINT_LENGTH = 256;
/** At least as much, of a line whose text is not there. */
export const FINGERPRINT_BYTES = 1024;

/** The size that omp demands of its title slot, with the line break. */
export const TITLE_SLOT_BYTES = 256;

interface LocatedObject {
  readonly value: JsonObject;
  /** Where the object stands in the file, in bytes. */
  readonly offset: number;
  readonly length: number;
}

type MutableState = { -readonly [K in keyof Omit<LinesState, 'header' | 'beforeLastLine'>]: LinesState[K] } & { header?: SessionHeader };

export class SessionReader {
  private readonly heads: HeadCollector;
  private readonly problems = new LineProblems();
  private hasGivenIds: boolean;
  private size: number;
  /** Of the last line that ended, its text or how that ends; `undefined` until one did. */
  private lastText: string | Uint8Array | undefined;
  private firstObject: JsonObject | undefined;
  /** The session before a last line without a line break. */
  private beforeLastLine: Session | undefined;
  private readonly state: MutableState;
  private readonly headOptions: HeadOptions;

  /** Reads a file from its start, or goes on where `from` ended (at `from.reading`). */
  constructor(
    private readonly options: ReaderOptions,
    private readonly previous?: Session,
  ) {
    const known = previous && readerStateOf(previous).lines;
    this.state = known ? { ...known } : { calls: new Map(), lastId: null, objects: 0, offset: 0, line: 0, beginning: '', ending: '' };
    this.heads = new HeadCollector(options.home, this.state.calls);
    this.headOptions = { home: options.home, toolCallTexts: this.state.calls };
    this.hasGivenIds = previous?.hasGivenIds ?? false;
    this.size = known?.offset ?? 0;
  }

  /** Takes the next line; `bytes` are those that the text was made of. A line that did not end must be the last. */
  add(text: string, place: LineLocation, bytes?: Uint8Array): void {
    if (place.line === 1 && place.hasLineBreak) this.state.beginning = excerpt(text, FINGERPRINT_LENGTH);
    const read = readLine(text);
    if (!place.hasLineBreak) {
      if (read.kind !== 'objects' || read.rest) {
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
        read.objects.map(({ value }, index) => ({ value, offset: places[index]!.offset, length: places[index]!.length })),
        read.rest,
        place,
      );
    }
    if (place.hasLineBreak) this.endLine(place.line, text);
  }

  /** The same for a line of which only what heads need is there. */
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

  /** Takes a line that is too long to be held as text. */
  skip(place: LineLocation): void {
    this.problems.add(problem('long-line', { line: place.line, bytes: place.length }));
    this.size = place.offset + place.length + (place.hasLineBreak ? 1 : 0);
    if (place.hasLineBreak) this.endLine(place.line, '');
  }

  /**
   * Scans messages from `from` to `to` in the loaded bytes. The line after them must be given to `add`.
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
    if (this.previous || this.isChain) return undefined;
    const scanned = this.heads.scan(input, from, to, line, offset, onPendingWords);
    this.headOptions.toolCallTexts = this.heads.calls;
    if (!scanned) return undefined;
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
   * @throws {SessionError} `not-a-session` if there was no header.
   */
  session(): Session {
    return this.build(this.heads.table());
  }

  private addLineProblem(code: 'bad-line' | 'glued-line', place: LineLocation): void {
    this.problems.add(problem(this.state.header || code === 'glued-line' ? code : 'before-header', { line: place.line }));
  }

  private objects(found: readonly LocatedObject[], rest: boolean, place: LineLocation): void {
    if (found.length > 1) this.addLineProblem('glued-line', place);
    if (rest) this.addLineProblem('bad-line', place);
    for (const object of found) this.addObject(object, place);
  }

  private addObject({ value, offset, length }: LocatedObject, place: LineLocation): void {
    const { state } = this;
    this.firstObject ??= value;
    const evidence = state.evidence ?? detectDialect(value);
    if (evidence) state.evidence = evidence;
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

  private setHeader(value: JsonObject, place: LineLocation): void {
    const { version } = (this.state.header = parseHeader(value));
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

  /** In files of version 1 each entry hangs off the one before it. */
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
    return this.state.evidence ?? this.options.rootDialect ?? 'pi';
  }

  private build(heads: HeadTable | readonly EntryHead[] = this.heads.all()): Session {
    const { header, ...state } = this.state;
    if (!header) throw notASession(this.options.path, this.size, this.firstObject);
    const end = this.lastText === undefined ? state.ending : lineEnding(this.lastText);
    const lines = {
      ...state,
      calls: this.heads.calls,
      lastId: this.lastId,
      header,
      ending: end,
      ...(this.beforeLastLine ? { beforeLastLine: this.beforeLastLine } : {}),
    };
    const dialect = this.dialect();
    const name = DIALECT_FACTS[dialect].nameSource === 'title' ? (state.slotTitle ?? asString(header.title)) : state.infoName;
    const parts = {
      path: this.options.path,
      dialect,
      ...(name ? { name } : {}),
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

/** `line`: its text, or bytes at its end and perhaps of others before it. */
function lineEnding(line: string | Uint8Array): string {
  const text = typeof line === 'string' ? line : new TextDecoder().decode(line);
  return excerptEnd(text.slice(text.lastIndexOf('\n') + 1), FINGERPRINT_LENGTH);
}
