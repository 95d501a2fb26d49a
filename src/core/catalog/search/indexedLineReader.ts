/** Reads single lines from session files by their offsets. The files that were used last stay open. */
import type { JsonObject } from '../../format/entry/jsonValues';
import { SessionError } from '../../format/entry/problem';
import type { ByteSourceSync } from '../../files/sync/byteSourceSync';
import { openSessionBytesSync } from '../../files/sync/sessionBytesSync';
import type { TableLine } from '../encoding/lineTable';
import type { CatalogReader } from '../database/catalogReader';
import { lineAt } from '../index/lineAt';
import { textOfLine } from './lineText';

export interface LineContent {
  /** The indexed text; empty if the line has none. */
  readonly text: string;
  /** The parsed line; `undefined` for a title, which has no line of its own. */
  readonly value: JsonObject | undefined;
}

/** Files that stay open: a search may read lines of any number of sessions. */
const MAX_OPEN = 32;

export class IndexedLineReader {
  /** The least recently used file comes first. */
  private readonly open = new Map<string, ByteSourceSync | undefined>();

  constructor(private readonly stored: Pick<CatalogReader, 'summary'>) {}

  /** `undefined` if the file no longer has the line. */
  read(path: string, at: TableLine): LineContent | undefined {
    if (at.role === 'title') return this.title(path);
    const value = this.line(path, at);
    if (!value) return undefined;
    const { role, text } = textOfLine(value);
    return role === at.role && (text !== '') === at.hasText ? { text, value } : undefined;
  }

  close(): void {
    for (const file of this.open.values()) file?.close();
    this.open.clear();
  }

  private title(path: string): LineContent | undefined {
    const text = this.stored.summary(path)?.name;
    return text === undefined ? undefined : { text, value: undefined };
  }

  private line(path: string, at: TableLine): JsonObject | undefined {
    const file = this.file(path);
    try {
      return file && lineAt(file, at);
    } catch (error) {
      // A session of a database may have been rewritten since it was opened.
      if (error instanceof SessionError) return undefined;
      throw error;
    }
  }

  private file(path: string): ByteSourceSync | undefined {
    const known = this.open.has(path);
    const file = known ? this.open.get(path) : openFile(path);
    this.open.delete(path);
    this.open.set(path, file);
    if (!known && this.open.size > MAX_OPEN) this.closeOldest();
    return file;
  }

  private closeOldest(): void {
    const [oldest] = this.open;
    if (!oldest) return;
    oldest[1]?.close();
    this.open.delete(oldest[0]);
  }
}

/** Returns `undefined` for a file that can't be opened any more. */
function openFile(path: string): ByteSourceSync | undefined {
  try {
    return openSessionBytesSync(path).file;
  } catch {
    return undefined;
  }
}
