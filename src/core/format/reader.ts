/**
 * The lines of a file, one after the other → a session. It knows nothing of where the bytes come from.
 */
import { DIALECT_FACTS, dialectOfLine, type Dialect } from './dialect';
import { asString, CURRENT_VERSION, type JsonObject, type SessionHeader } from './entry';
import { ending, excerpt } from './excerpt';
import { GrowingHeads } from './growingHeads';
import { headOf, type HeadOptions } from './head';
import { headerOf } from './header';
import type { HeadTable } from './headTable';
import { LineProblems } from './lineProblems';
import type { LinePlace } from './linePlace';
import { linkTable } from './linkTable';
import type { LongLineRead } from './longLine';
import { givenId, withGivenIds } from './migrate';
import { problem } from './problem';
import { NeedsWholeFile, notASession } from './readErrors';
import { placesOf, readLine } from './readLine';
import type { Scanner } from './scanner';
import { extend, link, type Reading, type Session } from './session';

export interface ReaderOptions {
  readonly path: string;
  /** What the folder says about files that do not tell by themselves. */
  readonly rootDialect?: Dialect;
  /** The home folder, written as `~` in rows. */
  readonly home: string;
}

/** How much of a file's beginning and ending is remembered, in UTF-16 units; a title slot fits. */
const MARK_LENGTH = 256;
/** At least as much, of a line whose text is not there. */
export const MARK_BYTES = 1024;

/** The size that omp demands of its title slot, with the line break. */
export const SLOT_BYTES = 256;

interface PlacedObject {
  readonly value: JsonObject;
  /** Where the object stands in the file, in bytes. */
  readonly offset: number;
  readonly length: number;
}

type Draft = { -readonly [K in keyof Omit<Reading, 'header' | 'before' | 'leafTargets' | 'missing' | 'maps'>]: Reading[K] } & { header?: SessionHeader };

export class SessionReader {
  private readonly heads: GrowingHeads;
  private readonly problems = new LineProblems();
  private given: boolean;
  private size: number;
  /** Of the last line that ended, its text or how that ends; `undefined` until one did. */
  private lastText: string | Uint8Array | undefined;
  private firstObject: JsonObject | undefined;
  /** The session before a last line without a line break. */
  private before: Session | undefined;
  private readonly state: Draft;
  private readonly headOptions: HeadOptions;

  /** Reads a file from its start, or goes on where `from` ended (at `from.reading`). */
  constructor(
    private readonly options: ReaderOptions,
    private readonly from?: Session,
  ) {
    this.state = from ? { ...from.reading } : { calls: new Map(), lastId: null, objects: 0, offset: 0, line: 0, beginning: '', ending: '' };
    this.heads = new GrowingHeads(options.home, this.state.calls);
    this.headOptions = { home: options.home, calls: this.state.calls };
    this.given = from?.hasGivenIds ?? false;
    this.size = from?.reading.offset ?? 0;
  }

  /** Takes the next line; `bytes` are those that the text was made of. A line that did not end must be the last. */
  add(text: string, place: LinePlace, bytes?: Uint8Array): void {
    if (place.line === 1 && place.ended) this.state.beginning = excerpt(text, MARK_LENGTH);
    const read = readLine(text);
    if (!place.ended) {
      if (read.kind !== 'objects' || read.rest) {
        if (read.kind !== 'blank') this.problems.add(problem('torn-line', { line: place.line }));
        return;
      }
      if (this.state.header) this.before = this.build();
    }
    this.size = place.offset + place.length + (place.ended ? 1 : 0);
    if (read.kind === 'bad') {
      this.firstObject ??= read.value;
      this.note('bad-line', place);
    }
    if (read.kind === 'objects') {
      const places = placesOf(read.objects, text, place, bytes);
      this.objects(read.objects.map(({ value }, index) => ({ value, offset: places[index]!.offset, length: places[index]!.length })), read.rest, place);
    }
    if (place.ended) this.passed(place.line, text);
  }

  /** The same for a line of which only what heads need is there. */
  long({ objects, rest, ending: end }: LongLineRead, place: LinePlace): void {
    if (!place.ended) {
      if (objects.length === 0 || rest) {
        this.problems.add(problem('torn-line', { line: place.line }));
        return;
      }
      if (this.state.header) this.before = this.build();
    }
    this.size = place.offset + place.length + (place.ended ? 1 : 0);
    if (objects.length === 0 && rest) this.note('bad-line', place);
    const whole = objects.length === 1 ? { offset: place.offset, length: place.length } : undefined;
    const found = objects.map(({ value, start, end }) => ({ value, ...(whole ?? { offset: place.offset + start, length: end - start }) }));
    if (found.length > 0) this.objects(found, rest, place);
    if (place.ended) this.passed(place.line, end ?? '');
  }

  /** Takes a line that is too long to be held as text. */
  skip(place: LinePlace): void {
    this.problems.add(problem('long-line', { line: place.line, bytes: place.length }));
    this.size = place.offset + place.length + (place.ended ? 1 : 0);
    if (place.ended) this.passed(place.line, '');
  }

  /**
   * Takes messages from `at` on, a place in what was loaded, whose line breaks stand before `end`. The first
   * is the line `line`, at `offset` in the file. `onLeft` is called behind one whose words are to be taken, with its offset.
   * @returns how many lines were taken, up to `scanner.stopped`; of what stands there the line is to be added
   */
  scan(scanner: Scanner, at: number, end: number, { line, offset }: { readonly line: number; readonly offset: number }, onLeft?: (offset: number) => void): number {
    // What is appended is little, and may hang off what the scanner does not know.
    if (this.from || this.isChain) return 0;
    const taken = this.heads.scan(scanner, at, end, line, offset, onLeft);
    this.headOptions.calls = this.heads.calls;
    if (taken === 0) return 0;
    this.state.objects += taken;
    this.size = offset + scanner.stopped - at;
    this.passed(line + taken - 1, scanner.loaded(Math.max(at, scanner.stopped - 1 - MARK_BYTES), scanner.stopped - 1));
    return taken;
  }

  private passed(line: number, text: string | Uint8Array): void {
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

  private note(code: 'bad-line' | 'glued-line', place: LinePlace): void {
    this.problems.add(problem(this.state.header || code === 'glued-line' ? code : 'before-header', { line: place.line }));
  }

  private objects(found: readonly PlacedObject[], rest: boolean, place: LinePlace): void {
    if (found.length > 1) this.note('glued-line', place);
    if (rest) this.note('bad-line', place);
    for (const object of found) this.object(object, place);
  }

  private object({ value, offset, length }: PlacedObject, place: LinePlace): void {
    const { state } = this;
    this.firstObject ??= value;
    const evidence = state.evidence ?? dialectOfLine(value);
    if (evidence) state.evidence = evidence;
    const type = value['type'] as string;
    if (!state.header) {
      if (type === 'session' && typeof value['id'] === 'string') this.header(value, place);
      else if (type === 'title' && place.line === 1) {
        state.slotTitle = asString(value['title']) ?? '';
        state.slotIsExact = place.length === SLOT_BYTES - 1 && place.ended;
      } else this.problems.add(problem('before-header', { line: place.line }));
      return;
    }
    state.objects++;
    if (type === 'session') {
      this.problems.add(problem('duplicate-header', { line: place.line }));
      return;
    }
    this.entry(value, { line: place.line, offset, length });
  }

  private header(value: JsonObject, place: LinePlace): void {
    const { version } = (this.state.header = headerOf(value));
    if (version !== undefined && version > CURRENT_VERSION) this.problems.add(problem('future-version', { line: place.line, version }));
  }

  private entry(value: JsonObject, place: { line: number; offset: number; length: number }): void {
    const { state } = this;
    const own = asString(value['id']);
    const chained = this.isChain || own === undefined || own === '';
    if (chained) this.given = true;
    if (chained && !this.isChain) this.problems.add(problem('no-id', { line: place.line }));
    const id = chained ? givenId(state.objects) : own;
    const parentId = chained ? this.lastId : asString(value['parentId']) ?? null;
    const head = headOf(chained ? withGivenIds(value) : value, { id, parentId, line: place.line, offset: place.offset, length: place.length }, this.headOptions);
    this.heads.put(head);
    state.lastId = id;
    if (head.type === 'session_info') this.name(head.label);
  }

  /** In files of version 1 each entry hangs off the one before it. */
  private get isChain(): boolean {
    return (this.state.header?.version ?? 1) < 2;
  }

  private get lastId(): string | null {
    return this.heads.lastId ?? this.state.lastId;
  }

  private name(label: string | undefined): void {
    const trimmed = label?.trim();
    if (trimmed) this.state.infoName = trimmed;
    else if (this.dialect() !== 'gsd') delete this.state.infoName;
  }

  private dialect(): Dialect {
    return this.state.evidence ?? this.options.rootDialect ?? 'pi';
  }

  /** `table`: the heads, if they can be linked as they are. */
  private build(table?: HeadTable): Session {
    const { header, ...state } = this.state;
    if (!header) throw notASession(this.options.path, this.size, this.firstObject);
    const end = this.lastText === undefined ? state.ending : endingOf(this.lastText);
    const reading = { ...state, calls: this.heads.calls, lastId: this.lastId, header, ending: end, ...(this.before ? { before: this.before } : {}) };
    const dialect = this.dialect();
    const name = DIALECT_FACTS[dialect].name === 'title' ? (state.slotTitle ?? asString(header.title)) : state.infoName;
    const lines = {
      path: this.options.path,
      dialect,
      ...(name ? { name } : {}),
      problems: [...this.problems.list],
      hasGivenIds: this.given,
      size: this.size,
      reading,
    };
    if (table) return linkTable(lines, table);
    const heads = this.heads.all();
    if (!this.from) return link({ ...lines, heads });
    const extended = extend(this.from, { ...lines, heads });
    if (!extended) throw new NeedsWholeFile();
    return extended;
  }
}

/** `line`: its text, or bytes at its end and perhaps of others before it. */
function endingOf(line: string | Uint8Array): string {
  const text = typeof line === 'string' ? line : new TextDecoder().decode(line);
  return ending(text.slice(text.lastIndexOf('\n') + 1), MARK_LENGTH);
}
