/** Builds a session from the lines of a file, in order. The source of the bytes doesn't matter. */
import { elementAt } from '../../values/lookups';
import { defined } from '../../values/defined';
import { DIALECT_FACTS } from '../../entry/dialect';
import { asString } from '../../values/jsonValues';
import { copyString } from '../../text/excerpt';
import type { LineProblems } from '../../parse/lineProblems';
import type { LineLocation } from '../../parse/lineLocation';
import type { LongLineResult } from '../../parse/longLineParser';
import type { Problem } from '../../entry/problem';
import { FullReadRequired, notASession } from '../../parse/readErrors';
import { endsWithObject, objectLocations, readLineSteps } from '../../parse/readLine';
import type { LoadedBytes } from '../../scanner/loadedBytes';
import type { LineCollector, ScannedLines } from '../../scanner/scannerRows';
import { ObjectCollector, type ReaderOptions, type ReadState } from './objectCollector';
import { linkSession, type SessionParts } from '../../linking/linkSession';
import { ARCHIVED, isArchivedSession } from '../archivedSession';
import type { Session } from '../session';
import type { Steps } from '../steps';

/** Length of the remembered beginning and ending of a file, in UTF-16 units. A title slot fits. */
const FINGERPRINT_LENGTH = 256;
/** Minimum number of bytes that are remembered of a line whose text isn't available. */
export const FINGERPRINT_BYTES = 1024;

/** The parts of the session of some lines, and the number of its heads. */
type LinesRead = SessionParts & { readonly count: number };

export class SessionReader {
  private readonly objects: ObjectCollector;
  private readonly problems: LineProblems;
  private readonly state: ReadState;
  private size: number;
  /** The last complete line, or the bytes at its end; `undefined` before the first one. */
  private lastText: string | Uint8Array | undefined;
  /** The lines before a last line without a line break. */
  private beforeLastLine: LinesRead | undefined;

  /** @param previous the session that reading continues; without it the file is read from its start */
  constructor(
    private readonly options: ReaderOptions,
    private readonly previous?: Session,
  ) {
    this.objects = new ObjectCollector(options, previous);
    ({ problems: this.problems, state: this.state } = this.objects);
    this.size = this.state.offset;
  }

  /**
   * Adds the next line, in steps. A line without a line break must be the last one.
   *
   * @param bytes the bytes that the text was decoded from
   */
  *add(text: string, place: LineLocation, bytes?: Uint8Array): Steps<void> {
    if (place.line === 1 && place.hasLineBreak) this.state.beginning = copyString(text.slice(0, FINGERPRINT_LENGTH));
    const read = yield* readLineSteps(text, place.length);
    if (!place.hasLineBreak) {
      if (!endsWithObject(read, text, place.length)) {
        if (read.kind !== 'blank') this.problems.add('torn-line', { line: place.line });
        return;
      }
      if (this.state.header) this.beforeLastLine = this.linesRead();
    }
    this.size = place.offset + place.length + (place.hasLineBreak ? 1 : 0);
    if (read.kind === 'bad') {
      this.objects.firstObject ??= read.value;
      this.objects.addLineProblem('bad-line', place);
    }
    if (read.kind === 'objects') {
      const places = yield* objectLocations(read.objects, text, place, bytes);
      yield* this.objects.add(
        read.objects.map(({ value, isDamaged }, index) => ({
          value,
          offset: elementAt(places, index).offset,
          length: elementAt(places, index).length,
          // eslint-disable-next-line local/optional-property -- `defined` costs more, and this runs for each line.
          ...(isDamaged ? { isDamaged } : {}),
        })),
        read.rest,
        place,
      );
    }
    if (place.hasLineBreak) this.endLine(place.line, text);
  }

  /** Adds a line that is too long to be held as text, in steps. Its objects have only what heads need. */
  *addLong({ objects, hasUnreadable: rest, ending: end }: LongLineResult, place: LineLocation): Steps<void> {
    if (!place.hasLineBreak) {
      if (objects.length === 0 || rest) {
        this.problems.add('torn-line', { line: place.line });
        return;
      }
      if (this.state.header) this.beforeLastLine = this.linesRead();
    }
    this.size = place.offset + place.length + (place.hasLineBreak ? 1 : 0);
    if (objects.length === 0 && rest) this.objects.addLineProblem('bad-line', place);
    const whole = objects.length === 1 ? { offset: place.offset, length: place.length } : undefined;
    const found = objects.map(({ value, start, end }) => ({ value, ...(whole ?? { offset: place.offset + start, length: end - start }) }));
    if (found.length > 0) yield* this.objects.add(found, rest, place);
    if (place.hasLineBreak) this.endLine(place.line, end ?? '');
  }

  /** Skips a line that is too long to be read, and reports it. */
  skip(place: LineLocation): void {
    this.problems.add('long-line', { line: place.line, bytes: place.length });
    this.size = place.offset + place.length + (place.hasLineBreak ? 1 : 0);
    if (place.hasLineBreak) this.endLine(place.line, '');
  }

  /**
   * Scans lines from `from` to `to` in the loaded bytes. The line after them must be given to `add`.
   *
   * @param collector without it, no searchable lines are collected
   * @returns `undefined` if the scanner doesn't take the first line
   */
  scan(
    input: LoadedBytes,
    from: number,
    to: number,
    { line, offset }: { readonly line: number; readonly offset: number },
    collector?: LineCollector,
  ): ScannedLines | undefined {
    // Appended lines are few, and their parents may not be among the rows.
    if (this.previous || !this.state.header) return undefined;
    const scanned = this.objects.scan(input, from, to, { line, offset }, collector);
    if (!scanned) return undefined;
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
    const { lines, ...read } = this.linesRead();
    const before = this.beforeLastLine && this.link(this.beforeLastLine);
    return this.link({ ...read, lines: { ...lines, ...defined({ beforeLastLine: before }) } });
  }

  /** Adds problems that only the source of the lines knows. */
  report(problems: readonly Problem[]): void {
    for (const one of problems) this.problems.addMade(one);
  }

  /** @throws {SessionError} `not-a-session` if there was no header */
  private linesRead(): LinesRead {
    const { header: ownHeader, ...state } = this.state;
    if (!ownHeader) throw notASession(this.options.path, this.size, this.objects.firstObject);
    const { facts } = this.options;
    const header = facts?.parentSession === undefined ? ownHeader : { ...ownHeader, parentSession: facts.parentSession };
    const end = this.lastText === undefined ? state.ending : lineEnding(this.lastText);
    const lines = {
      ...state,
      calls: this.objects.heads.calls,
      lastId: this.objects.lastId,
      header,
      ending: end,
      ...(facts ? { facts: JSON.stringify(facts) } : {}),
    };
    const dialect = this.objects.dialect();
    const name =
      facts?.name ?? (DIALECT_FACTS[dialect].nameSource === 'title' ? (state.slotTitle ?? asString(header.title)) : state.infoName);
    const { path } = this.options;
    const marks = facts?.marks ?? (isArchivedSession(path, dialect) ? ARCHIVED : undefined);
    return {
      path,
      dialect,
      ...defined({ name: name || undefined, marks, progress: facts?.progress, leafId: facts?.leafId }),
      problems: [...this.problems.list],
      hasGivenIds: this.objects.hasGivenIds,
      size: this.size,
      lines,
      count: this.objects.heads.length,
    };
  }

  private link({ count, ...parts }: LinesRead): Session {
    const session = linkSession(parts, this.objects.heads.first(count), this.previous);
    if (!session) throw new FullReadRequired();
    return session;
  }
}

/** @param line the text of the line, or bytes that end with it */
function lineEnding(line: string | Uint8Array): string {
  const text = typeof line === 'string' ? line : new TextDecoder().decode(line);
  return copyString(text.slice(text.lastIndexOf('\n') + 1).slice(-FINGERPRINT_LENGTH));
}
