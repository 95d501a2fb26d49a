/** Writes a session of Claude Code or Codex as a session of pi. */
import { CURRENT_VERSION } from '../../format/entry/entry';
import type { JsonObject } from '../../format/values/jsonValues';
import { SessionError } from '../../format/entry/problem';
import { defined } from '../../format/values/defined';
import type { ForeignFacts } from '../../format/import/converter';
import { createForeignConverter } from '../../format/import/foreignConverter';
import { FOREIGN_LABELS, type ForeignProgram } from '../../format/import/foreignFormat';
import { OmissionList, type Omission } from '../../format/import/omissions';
import { originLine } from '../../format/import/originLine';
import { newEntryId, newSessionId, type Stamp } from '../../format/write/sessionNames';
import { createFile, type FileDigest, type LineWriter } from '../io/atomicFile';
import type { ByteSource } from '../io/byteSource';
import type { Disk } from '../io/disk';
import { Yielder } from '../concurrency/eventLoop';
import { lineValues } from './detectImport';
import { fileLines } from './fileLines';

interface ForeignImport {
  readonly program: ForeignProgram;
  /** Path of the original. */
  readonly source: string;
  readonly facts: ForeignFacts;
  /** Folder of the new session's project. */
  readonly cwd: string;
  /** Returns the path of the new file. */
  readonly target: (timestamp: string, id: string) => string;
  readonly stamp: Stamp;
  readonly disk?: Disk;
  readonly signal?: AbortSignal;
}

/** @throws {SessionError} `not-a-session` if there's nothing to import; and as `createFile`. */
export async function importForeign(
  file: ByteSource,
  { program, source, facts, cwd, target, stamp, disk, signal }: ForeignImport,
): Promise<{ path: string; written: FileDigest; notes: readonly Omission[] }> {
  const id = newSessionId(stamp);
  const timestamp = facts.start ?? stamp.now().toISOString();
  const path = target(timestamp, id);
  const omissions = new OmissionList();
  const write = async (to: LineWriter): Promise<void> => {
    await to.line(JSON.stringify({ type: 'session', version: CURRENT_VERSION, id, timestamp, cwd }));
    const { leafId, count, ids, parentSession } = await writeEntries(file, { program, stamp, omissions, signal }, to);
    if (count === 0) throw new SessionError('not-a-session', 'This file has no messages: {path}', { path: source });
    const { sessionId, cwd: original } = facts;
    const origin = {
      kind: 'import' as const,
      program: FOREIGN_LABELS[program],
      file: source,
      ...defined({ sessionId, cwd: original, parentSession }),
      omissions: omissions.list(),
    };
    await to.line(JSON.stringify(originLine(origin, newEntryId(stamp, ids), leafId, stamp)));
  };
  const written = await createFile(path, write, { mode: 0o600, ...defined({ disk }) });
  return { path, written, notes: omissions.list() };
}

async function writeEntries(
  file: ByteSource,
  tools: { program: ForeignProgram; stamp: Stamp; omissions: OmissionList; signal: AbortSignal | undefined },
  to: LineWriter,
): Promise<{ leafId: string | null; count: number; ids: ReadonlySet<string>; parentSession: string | undefined }> {
  const { program, stamp, omissions, signal } = tools;
  const converter = createForeignConverter(program, stamp, omissions);
  const yielder = new Yielder(signal);
  const ids = new Set<string>();
  let count = 0;
  const put = async (entries: readonly JsonObject[], line: number): Promise<void> => {
    for (const entry of entries) {
      ids.add(String(entry['id']));
      if (entry['type'] === 'message') count++;
      await to.line(entryText(entry, line, omissions));
    }
  };
  let last = 0;
  for await (const lines of fileLines(file, signal)) {
    for (const { text, line } of lines) {
      last = line;
      if (text === undefined) omissions.add('long-line', line);
      else {
        const values = lineValues(text);
        if (values.length === 0 && text.trim() !== '') omissions.add('bad-line', line);
        for (const value of values) await put(converter.add(value, line, text.length), line);
      }
      await yielder.yieldIfDue();
    }
  }
  await put(converter.end(), last);
  return { leafId: converter.leafId, count, ids, parentSession: converter.facts.parentSession };
}

/** An entry that can't be written as JSON keeps its place in the tree, without its content. */
function entryText(entry: JsonObject, line: number, omissions: OmissionList): string {
  try {
    return JSON.stringify(entry);
  } catch {
    omissions.add('deep-line', line);
    const { id, parentId, timestamp } = entry;
    return JSON.stringify({ type: 'custom', id, parentId, timestamp, customType: 'pi-session-tree/unreadable' });
  }
}
