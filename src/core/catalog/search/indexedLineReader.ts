/** Reads single lines from sessions by their offsets. The files that were used last stay open. */
import type { JsonObject } from '../../format/values/jsonValues';
import { SessionError } from '../../format/entry/problem';
import type { Yielder } from '../../files/concurrency/eventLoop';
import { fileError } from '../../files/io/fileErrors';
import { openForSearching, SearchedArchive, type ThreadBytes } from '../../files/sync/threadBytes';
import type { TableLine } from '../encoding/lineTable';
import type { CatalogReader } from '../database/catalogReader';
import { threadLineAt } from '../index/lineAt';
import { textOfLine } from '../index/words/lineText';

export interface LineContent {
  /** The indexed text; empty if the line has none. */
  readonly text: string;
  /** The parsed line; `undefined` for a title, which has no separate line. */
  readonly value: JsonObject | undefined;
}

/** A line of a session. */
export interface IndexedLine {
  readonly path: string;
  readonly line: TableLine;
}

/** Files that stay open: a search may read lines of any number of sessions. */
const MAX_OPEN = 32;

export class IndexedLineReader {
  /** The least recently used file comes first. */
  private readonly open = new Map<string, ThreadBytes | undefined>();
  private lastPath: string | undefined;

  /** @param signal ends the unpacking of an archive */
  constructor(
    private readonly stored: Pick<CatalogReader, 'summary'>,
    private readonly signal: AbortSignal | undefined,
  ) {}

  /**
   * Reads lines in the order of their sessions, so that each archive is unpacked once, and up to the last of its lines.
   *
   * @throws the reason of the pause's signal if it was aborted
   */
  async readAll<T extends IndexedLine>(lines: readonly T[], pause: Yielder): Promise<Map<T, LineContent | undefined>> {
    const contents = new Map<T, LineContent | undefined>();
    const inOrder = lines.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line.offset - b.line.offset));
    for (const one of inOrder) {
      await pause.yieldIfDue();
      contents.set(one, await this.read(one.path, one.line));
    }
    return contents;
  }

  /** `undefined` if the file no longer has the line. @throws the signal's reason if aborted */
  async read(path: string, at: TableLine): Promise<LineContent | undefined> {
    if (at.role === 'title') return this.title(path);
    const value = await this.line(path, at);
    if (!value) return undefined;
    const { role, text } = textOfLine(value);
    return role === at.role && (text !== '') === at.hasText ? { text, value } : undefined;
  }

  async close(): Promise<void> {
    for (const path of [...this.open.keys()]) await this.closeFile(path);
  }

  private title(path: string): LineContent | undefined {
    const text = this.stored.summary(path)?.name;
    return text === undefined ? undefined : { text, value: undefined };
  }

  private async line(path: string, at: TableLine): Promise<JsonObject | undefined> {
    const file = await this.file(path);
    try {
      return file && (await threadLineAt(file, at));
    } catch (error) {
      // A session of a database may have been rewritten since it was opened, and an archive is opened when it's read.
      if (fileError(error, path) instanceof SessionError) return undefined;
      throw error;
    }
  }

  private async file(path: string): Promise<ThreadBytes | undefined> {
    if (path !== this.lastPath) await this.closeLastArchive();
    this.lastPath = path;
    const file = this.open.has(path) ? this.open.get(path) : openFile(path, this.signal);
    this.open.delete(path);
    this.open.set(path, file);
    const [oldest] = this.open.keys();
    if (this.open.size > MAX_OPEN && oldest !== undefined) await this.closeFile(oldest);
    return file;
  }

  /** An archive that is being unpacked takes more memory than a file. */
  private async closeLastArchive(): Promise<void> {
    const path = this.lastPath;
    if (path !== undefined && this.open.get(path) instanceof SearchedArchive) await this.closeFile(path);
  }

  private async closeFile(path: string): Promise<void> {
    const file = this.open.get(path);
    this.open.delete(path);
    await file?.close();
  }
}

/** Returns `undefined` for a file that can't be opened any more. */
function openFile(path: string, signal: AbortSignal | undefined): ThreadBytes | undefined {
  try {
    return openForSearching(path, signal).file;
  } catch {
    return undefined;
  }
}
