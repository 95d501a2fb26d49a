/** Finds the files that were written and read in a part of a session. */
import { headSlices } from '../../../format/session/headSlices';
import type { EntryHead } from '../../../format/entry/entryHead';
import type { Session } from '../../../format/session/session';
import { touchesOfLine, touchKindOfTool } from '../../../format/toolCalls/fileTouches';
import { readBodies } from '../../read/sessionFile';

/** Each file once, in the order of first use. Files in the project's folder are relative to it. */
export interface TouchedFiles {
  readonly written: readonly string[];
  /** Files that were read but not written. */
  readonly read: readonly string[];
}

/** Bytes: approximate size of a slice of bodies. */
const SLICE_BYTES = 4 * 1024 * 1024;
const SLICE_ENTRIES = 500;

/**
 * Collects the files that the tool calls in `heads` touched. Calls that failed or never got a result don't count. Reads
 * only the bodies of messages that may contain such calls.
 *
 * @param heads part of a path, in order.
 * @throws {SessionError} `changed` if the file has changed since it was read.
 * @throws the signal's reason if aborted.
 */
export async function touchedFiles(session: Session, heads: readonly EntryHead[], signal?: AbortSignal): Promise<TouchedFiles> {
  const { callers, failed } = touchingMessages(heads);
  const written = new Set<string>();
  const read = new Set<string>();
  for (const slice of headSlices(callers, SLICE_BYTES, SLICE_ENTRIES)) {
    const ids = slice.map(({ id }) => id);
    for (const entry of await readBodies(session, ids, signal)) {
      for (const { file, kind } of touchesOfLine(entry, failed))
        (kind === 'write' ? written : read).add(inProject(file, session.header.cwd));
    }
  }
  return { written: [...written], read: [...read].filter((file) => !written.has(file)) };
}

/**
 * Finds the assistant messages with calls of tools that touch files, by the calls' results, the results with nested calls,
 * and the ids of failed calls.
 */
function touchingMessages(heads: readonly EntryHead[]): { callers: EntryHead[]; failed: Set<string> } {
  const callers = new Set<EntryHead>();
  const failed = new Set<string>();
  let answer: EntryHead | undefined;
  for (const head of heads) {
    if (head.role === 'assistant') answer = head;
    if (head.role === 'fileMention') callers.add(head);
    if (head.role !== 'toolResult') continue;
    if (head.hasNestedCalls) callers.add(head);
    if (head.isError && head.toolCallId !== undefined) failed.add(head.toolCallId);
    if (answer && (head.toolName === undefined || touchKindOfTool(head.toolName))) callers.add(answer);
  }
  return { callers: [...callers], failed };
}

function inProject(file: string, cwd: string): string {
  if (cwd !== '' && (file.startsWith(`${cwd}/`) || file.startsWith(`${cwd}\\`))) return file.slice(cwd.length + 1);
  return file.replace(/^\.\//, '');
}
