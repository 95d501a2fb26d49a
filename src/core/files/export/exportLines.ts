/** Reads the lines of an export from a session, one after the other. */
import type { EntryHead } from '../../format/entry/entryHead';
import { problem, SessionError, type Problem } from '../../format/entry/problem';
import type { JsonObject } from '../../format/entry/jsonValues';
import { migrateLine } from '../../format/parse/migrateLine';
import type { Session } from '../../format/session/session';
import type { Steps } from '../../format/session/steps';
import { decodeSteps } from '../../format/text/decodeText';
import type { ExportPlan } from '../../format/write/exportPlan';
import type { ByteSource } from '../io/byteSource';
import { Yielder } from '../concurrency/eventLoop';
import { fileError } from '../io/fileErrors';
import { readAt } from '../io/readAt';
import { parseEntryBytes } from '../read/entryBytes';
import { openSessionBytes } from '../read/sessionBytes';
import { serializeSteps } from '../write/copyEntries';

/** A line of an export, without its line break. */
export interface ExportLine {
  readonly text: string;
  /** Absent for the header. */
  readonly entryId?: string;
}

/** Bytes of the longest line that is exported. Each is held in memory, some times over. */
const MAX_LINE = 64 * 1024 * 1024;

/** Bytes that are read in one call. */
const CHUNK = 1024 * 1024;

/** The type of the line that replaces a line that can't be exported. */
const LEFT_OUT = 'pi-session-tree/left-out';

/**
 * Returns the lines of a plan. A line that is too long or too deep is replaced by a line that says so, with its place in the tree.
 *
 * @param onProblem receives these lines.
 * @throws {SessionError} `changed` if the file was rewritten since it was read; as `readSession` if it can't be opened.
 */
export async function* exportLines(
  session: Session,
  plan: ExportPlan,
  { signal, onProblem }: { readonly signal?: AbortSignal | undefined; readonly onProblem?: (problem: Problem) => void } = {},
): AsyncGenerator<ExportLine, void> {
  yield { text: JSON.stringify(plan.header) };
  const { file } = await openSessionBytes(session.path).catch((error: unknown) => {
    throw fileError(error, session.path);
  });
  try {
    const reader = new ChunkReader(file);
    const pause = new Yielder(signal);
    for (const { head, target } of plan.entries) {
      await pause.yieldIfDue();
      if (head.length > MAX_LINE) {
        onProblem?.(problem('long-line', { line: head.line, bytes: head.length }, head.id));
        yield { text: JSON.stringify(standIn(head, target.parentId, 'too-long')), entryId: head.id };
        continue;
      }
      const bytes = await reader.read(head.offset, head.length);
      const { value, hasRest } = await pause.run(parseEntryBytes(bytes, head, session));
      const migrated = migrateLine(value, target);
      const line = plan.dropsRetainedTails ? withoutTail(migrated) : migrated;
      const isWhole = !hasRest && bytes[0] === 0x7b && bytes.at(-1) === 0x7d;
      yield {
        text: await pause.run(line === value && isWhole ? decodeSteps(bytes) : textOf(line, session, head, target.parentId, onProblem)),
        entryId: head.id,
      };
    }
  } catch (error) {
    throw fileError(error, session.path);
  } finally {
    await file.close();
  }
  for (const line of plan.addedLines) yield { text: JSON.stringify(line), entryId: String(line['id']) };
}

/** Returns a line without a compaction's copies of messages: the same object if there are none. */
function withoutTail(line: JsonObject): JsonObject {
  if (line['type'] !== 'compaction' || !('retainedTail' in line)) return line;
  const rest: Record<string, unknown> = { ...line };
  delete rest['retainedTail'];
  // It would no longer match.
  delete rest['payloadSha256'];
  return rest;
}

function* textOf(
  line: JsonObject,
  session: Session,
  head: EntryHead,
  parentId: string | null,
  onProblem: ((problem: Problem) => void) | undefined,
): Steps<string> {
  try {
    return yield* serializeSteps(line, session, head.line);
  } catch (error) {
    if (!(error instanceof SessionError)) throw error;
    onProblem?.(problem('damaged-line', { line: head.line }, head.id));
    return JSON.stringify(standIn(head, parentId, 'too-deep'));
  }
}

const standIn = (head: EntryHead, parentId: string | null, reason: string): object => ({
  type: 'custom',
  id: head.id,
  parentId,
  timestamp: head.timestamp,
  customType: LEFT_OUT,
  data: { reason, bytes: head.length },
});

/** Reads pieces of a file that are mostly close to each other, in few calls. */
class ChunkReader {
  private chunk: Buffer = Buffer.alloc(0);
  private at = 0;

  constructor(private readonly file: ByteSource) {}

  /** @returns fewer bytes if the file ends before. They're valid until the next call. */
  async read(offset: number, length: number): Promise<Buffer> {
    const from = offset - this.at;
    if (from < 0 || from + length > this.chunk.length) {
      this.chunk = await readAt(this.file, offset, Math.max(CHUNK, length));
      this.at = offset;
      return this.chunk.subarray(0, length);
    }
    return this.chunk.subarray(from, from + length);
  }
}
