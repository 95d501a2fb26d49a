/**
 * A session that grows in memory first: the lines on disk, and the lines that are still to be written. Basis of the
 * documented `SessionManager`.
 */
import { homedir } from 'node:os';
import { defined } from '../../format/values/defined';
import { parseEntry } from '../../format/entry/parseEntry';
import { assertTitleSlot, withoutLineBreaks, writeRefusal, type NewLine } from '../../format/write/change';
import { DIALECT_FACTS, type Dialect } from '../../format/entry/dialect';
import type { Entry } from '../../format/entry/entry';
import { isObject, type JsonObject } from '../../format/values/jsonValues';
import type { EntryHead } from '../../format/entry/entryHead';
import { newEntryId, titleSlotLine, type Stamp } from '../../format/write/sessionNames';
import { SessionReader } from '../../format/session/read/sessionReader';
import type { Session } from '../../format/session/session';
import { finishSteps } from '../../format/session/steps';
import { endOfLines } from '../../format/session/fileState';
import { WorkQueue } from '../concurrency/workQueue';
import { fileError } from '../io/fileErrors';
import { createFile } from '../io/atomicFile';
import { readAtSync, type ByteSourceSync } from '../sync/readAtSync';
import { openSessionBytesSync } from '../sync/sessionBytesSync';
import { parseEntryBytes } from '../read/bytes/entryBytes';
import { readSession } from '../read/sessionFile';
import type { Writer } from '../write/sessionWriter';

interface BufferedSessionOptions {
  readonly writer: Writer;
  readonly stamp: Stamp;
}

export class BufferedSession {
  /** The session on disk; before the file's creation, only its header. */
  private base: Session;
  /** Lines that aren't on disk yet, by id, in order. */
  private readonly pending = new Map<string, JsonObject>();
  /** `base` followed by `pending`. */
  private whole: Session;
  /** The name that is still to be written to oh-my-pi's title slot. */
  private title: string | undefined;
  private readonly writes = new WorkQueue();
  /** Parent of the next entry. Moves without a write. */
  leafId: string | null;

  /**
   * @param path the file's path; `undefined` for a session in memory only.
   * @param persisted true if the file already exists.
   * @param lines entries to begin with.
   */
  constructor(
    session: Session,
    private readonly path: string | undefined,
    private persisted: boolean,
    private readonly options: BufferedSessionOptions,
    lines: readonly JsonObject[] = [],
  ) {
    this.base = session;
    for (const line of lines) this.pending.set(String(line['id']), line);
    this.whole = withPendingLines(session, lines);
    this.leafId = this.whole.leafId;
  }

  /** The session including everything that was appended. */
  get session(): Session {
    return this.whole;
  }

  get name(): string | undefined {
    return this.title === undefined ? this.whole.name : this.title || undefined;
  }

  /**
   * Appends at the leaf, or at the line's `parentId`. Memory changes immediately; the promise resolves with the entry's
   * id when the line is on disk. Lines that couldn't be written are kept, and written with the next ones.
   *
   * @throws {SessionError} as `writeRefusal`; then memory doesn't change either.
   */
  append(line: NewLine): Promise<string> {
    const refusal = writeRefusal(this.base);
    if (refusal) throw refusal;
    const { type, parentId = this.leafId, id = this.freshId(), timestamp = this.now(), ...rest } = line;
    // The value as it will be read: JSON drops some values.
    const whole = JSON.parse(JSON.stringify({ type, id, parentId, timestamp, ...rest })) as JsonObject;
    this.pending.set(id, whole);
    this.whole = withPendingLines(this.whole, [whole]);
    this.leafId = id;
    const done = this.flush().then(() => id);
    // If this promise isn't awaited, the failure appears at the next append that is.
    done.catch(() => undefined);
    return done;
  }

  /**
   * Names the session in the way of its dialect.
   *
   * @throws {SessionError} as `append`; `invalid` if the file has no title slot.
   */
  rename(text: string): Promise<string> {
    const name = withoutLineBreaks(text);
    if (DIALECT_FACTS[this.base.dialect].nameSource !== 'title') return this.append({ type: 'session_info', name });
    // Checked before memory changes: a line that can never be written must not block the following ones.
    if (this.persisted && this.path !== undefined) assertTitleSlot(this.base);
    const previous = this.name;
    const done = this.append({
      type: 'title_change',
      title: name,
      source: 'user',
      ...defined({ previousTitle: previous }),
    });
    this.title = name;
    return done;
  }

  /** Timestamp for a new line. */
  now(): string {
    return this.options.stamp.now().toISOString();
  }

  freshId(): string {
    return newEntryId(this.options.stamp, this.whole.byId);
  }

  /** Waits until all appended lines are on disk. */
  flush(): Promise<void> {
    return this.writes.add(() => this.write());
  }

  /** Creates the file, even without a user or assistant message. */
  create(): Promise<void> {
    return this.writes.add(async () => {
      if (this.path !== undefined && !this.persisted) await this.createFile(this.path);
      else await this.write();
    });
  }

  private async write(): Promise<void> {
    if (this.path === undefined || this.pending.size === 0) return;
    if (!this.persisted) {
      if ([...this.pending.values()].some(isSpoken)) await this.createFile(this.path);
      return;
    }
    // Each pending line was given its type, id and time when it was added.
    const lines = [...this.pending.values()] as (JsonObject & NewLine)[];
    const title = this.title;
    // A caller of the API is aware of other writers, so only a `live` session is refused.
    const options = { dialect: this.base.dialect, force: true };
    const { session } = await this.options.writer.submit(this.path, { kind: 'append', lines, ...defined({ title }) }, options);
    this.markWritten(session, lines, title);
  }

  private async createFile(path: string): Promise<void> {
    const lines = [...this.pending.values()];
    const title = this.title;
    const { header, dialect } = this.base;
    await this.options.writer.assertChangeable(path);
    await createFile(path, async (to) => {
      if (DIALECT_FACTS[dialect].hasTitleSlot)
        await to.line(titleSlotLine({ title: title ?? '', ...(title ? { source: 'user' } : {}), updatedAt: header.timestamp }).trimEnd());
      await to.line(JSON.stringify(header));
      for (const line of lines) await to.line(JSON.stringify(line));
    });
    this.persisted = true;
    await this.options.writer.own(path);
    this.markWritten(await readSession(path, { dialect }), lines, title);
  }

  /** Lines that were written are read from the disk from now on. */
  private markWritten(session: Session, written: readonly JsonObject[], title: string | undefined): void {
    this.base = session;
    for (const line of written) this.pending.delete(String(line['id']));
    this.whole = withPendingLines(session, [...this.pending.values()]);
    if (this.title === title) this.title = undefined;
  }

  /** Returns whole entries: pending ones from memory, others by their place in the file. */
  bodies(heads: readonly EntryHead[]): Entry[] {
    let file: ByteSourceSync | undefined;
    try {
      return heads.map((head) => {
        const line = this.pending.get(head.id);
        if (line) return parseEntry(line, head);
        file ??= openFile(this.base.path);
        return readBody(file, head, this.base);
      });
    } finally {
      file?.close();
    }
  }
}

/** A session without entries, in memory. */
export function emptySession(header: JsonObject, path: string, dialect: Dialect): Session {
  const reader = new SessionReader({ path, rootDialect: dialect, home: homedir() });
  addLine(reader, header, 1, 0);
  return reader.session();
}

/** Returns the session with lines appended, as if they were in its file. */
export function withPendingLines(session: Session, lines: readonly JsonObject[]): Session {
  if (lines.length === 0) return session;
  const reader = new SessionReader({ path: session.path, rootDialect: session.dialect, home: homedir() }, session);
  let { offset, line } = endOfLines(session);
  for (const value of lines) offset = addLine(reader, value, ++line, offset);
  return reader.session();
}

function addLine(reader: SessionReader, value: JsonObject, line: number, offset: number): number {
  const text = JSON.stringify(value);
  const length = Buffer.byteLength(text);
  finishSteps(reader.add(text, { line, offset, length, hasLineBreak: true }));
  return offset + length + 1;
}

/** A new session's file is created with the first user or assistant message. */
function isSpoken(line: JsonObject): boolean {
  const { message } = line;
  const role = isObject(message) ? message['role'] : undefined;
  return line['type'] === 'message' && (role === 'user' || role === 'assistant');
}

function openFile(path: string): ByteSourceSync {
  try {
    return openSessionBytesSync(path).file;
  } catch (error) {
    throw fileError(error, path);
  }
}

function readBody(file: ByteSourceSync, head: EntryHead, session: Session): Entry {
  return parseEntry(finishSteps(parseEntryBytes(readAtSync(file, head.offset, head.length), head, session)).value, head);
}
