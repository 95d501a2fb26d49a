/** Reads the lines of an export from a session, one after the other. */
import { problem, type Problem } from '../../format/entry/problem';
import type { Session } from '../../format/session/session';
import { decodeSteps } from '../../format/text/decodeText';
import type { ExportPlan } from '../../format/write/exportPlan';
import type { ByteSource } from '../io/byteSource';
import { Yielder } from '../concurrency/eventLoop';
import { fileError } from '../io/fileErrors';
import { readAt } from '../io/readAt';
import { openSessionBytes } from '../read/bytes/sessionBytes';
import { RedactionThread } from '../redact/redactionThread';
import { exportedLine, standIn, type ChangedLine, type LineRequest } from './exportedLine';

/** A line of an export, without its line break. */
export interface ExportLine {
  readonly text: string;
  /** Absent for the header. */
  readonly entryId?: string;
}

/** Bytes of the longest line that is exported. Each is held in memory, some times over. */
const MAX_LINE = 64 * 1024 * 1024;
/** Bytes of a line from which a thread parses it: collecting hundreds of thousands of its objects would stop this one. */
const MIN_THREAD_LINE = 4 * 1024 * 1024;

/** Bytes that are read in one call. */
const CHUNK = 1024 * 1024;

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
  let thread: RedactionThread | undefined;
  try {
    const reader = new ChunkReader(file);
    const pause = new Yielder(signal);
    const { path, hasGivenIds } = session;
    for (const { head, target } of plan.entries) {
      await pause.yieldIfDue();
      const { id, line, length, timestamp } = head;
      const request: LineRequest = {
        head: { id, line, length, timestamp },
        target,
        session: { path, hasGivenIds },
        dropsRetainedTails: plan.dropsRetainedTails,
      };
      if (length > MAX_LINE) {
        onProblem?.(problem('long-line', { line, bytes: length }, id));
        yield { text: standIn(request, 'too-long'), entryId: id };
        continue;
      }
      const bytes = await reader.read(head.offset, length);
      let changed: ChangedLine | undefined;
      if (length < MIN_THREAD_LINE) changed = await pause.run(exportedLine(bytes, request));
      else changed = await (thread ??= new RedactionThread()).exportedLine(bytes, request, signal);
      if (changed?.problem) onProblem?.(changed.problem);
      yield { text: changed?.text ?? (await pause.run(decodeSteps(bytes))), entryId: id };
    }
  } catch (error) {
    throw fileError(error, session.path);
  } finally {
    thread?.end();
    await file.close();
  }
  for (const line of plan.addedLines) yield { text: JSON.stringify(line), entryId: String(line['id']) };
}

/** Reads pieces of a file that are mostly close to each other, in few calls. */
class ChunkReader {
  private chunk: Buffer = Buffer.alloc(0);
  private at = 0;

  constructor(private readonly file: ByteSource) {}

  /** @returns fewer bytes if the file ends before. They're valid until the next call, and may be moved to another thread. */
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
