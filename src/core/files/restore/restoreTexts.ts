/** Evidence from restores: the texts that files had before and after them, which no session recorded. */
import { SessionError } from '../../format/entry/problem';
import { isMissing } from '../io/fileErrors';
import { readOperations } from '../storage/operationRecord';
import { restoreOf } from './recoverRestores';
import { keptBytes, readRecord, readTurns, recordIds, type FileChange, type KeptState } from './restoreRecord';

/** A text that a file had at a time. */
export interface KeptText {
  /** In milliseconds since 1970. */
  readonly time: number;
  /** `undefined` if there was no file. */
  readonly text: string | undefined;
  /** True for a text that a restore or its undo wrote. */
  readonly isWritten?: boolean;
}

/** Records that are read: those of the newest restores. */
const MAX_RECORDS = 50;
/** Bytes of texts that are read. */
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * Reads the texts before and after all kept restores, the newest restores first, until they are too many.
 *
 * @returns the texts of a file by its path, in order of time
 */
export async function restoreTexts(storage: string): Promise<(file: string) => readonly KeptText[]> {
  const found = new Map<string, KeptText[]>();
  const texts = new Map<string, string>();
  const interrupted = new Set((await readOperations(storage, 'restoring')).map(restoreOf));
  let left = MAX_BYTES;
  const textOf = async (id: string, state: KeptState | null): Promise<string | undefined> => {
    if (!state) return undefined;
    const known = texts.get(state.sha256);
    if (known !== undefined) return known;
    const text = (await keptBytes(storage, id, state)).toString('utf8');
    left -= state.length;
    texts.set(state.sha256, text);
    return text;
  };
  const textsOf = async (id: string, { before, after }: FileChange): Promise<[string | undefined, string | undefined] | undefined> => {
    try {
      return [await textOf(id, before), await textOf(id, after)];
    } catch (error) {
      // It shows nothing if it's damaged.
      if (error instanceof SessionError || isMissing(error)) return undefined;
      throw error;
    }
  };
  for (const id of await newestIds(storage)) {
    const record = interrupted.has(id) ? undefined : await readRecord(storage, id);
    if (!record) continue;
    const turns = await readTurns(storage, id);
    for (const change of record.changes) {
      if (left < 0) break;
      const both = await textsOf(id, change);
      if (!both) continue;
      const [before, after] = both;
      const own = turns.filter(({ left: others }) => !others.includes(change.path));
      const all = [
        { time: record.at, text: before },
        { time: record.at + 1, text: after, isWritten: true },
        ...own.map(({ at, to }) => ({ time: at, text: to === 'before' ? before : after, isWritten: true })),
      ];
      for (const name of namesOf(change)) found.set(name, [...all, ...(found.get(name) ?? [])]);
    }
  }
  for (const all of found.values()) all.sort((a, b) => a.time - b.time);
  return (file) => found.get(file) ?? [];
}

/** Returns the permissions that files had before the newest restore that changed each, by their real paths. */
export async function keptModes(storage: string, paths: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const wanted = new Set(paths);
  const modes = new Map<string, number>();
  for (const id of await newestIds(storage)) {
    if (wanted.size === 0) break;
    for (const { path, before, after } of (await readRecord(storage, id))?.changes ?? []) {
      const mode = before?.mode ?? after?.mode;
      if (mode !== undefined && wanted.delete(path)) modes.set(path, mode);
    }
  }
  return modes;
}

const newestIds = async (storage: string): Promise<string[]> => (await recordIds(storage)).slice(-MAX_RECORDS).reverse();

const namesOf = ({ file, path }: FileChange): string[] => (file === path ? [file] : [file, path]);
