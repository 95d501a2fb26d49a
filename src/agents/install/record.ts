/** The record of what was written outside of the extension's own folders, so that it can be taken back, also after uninstalling. */
import { isArray, isObject, makePrivateFolder, readPrivateJson, writePrivateFile } from '../../core/index';
import type { AgentFiles } from '../agentFiles';
import { TARGETS, type TargetId } from './targets';

export interface WrittenChange {
  readonly target: TargetId;
  readonly file: string;
  readonly removed: string;
  readonly inserted: string;
  /** True if the file wasn't there before. */
  readonly isNew: boolean;
}

export interface InstalledRecord {
  /** The folder of all extensions of the editor, by which the script after uninstalling knows its own record. */
  readonly extensions: string;
  readonly changes: readonly WrittenChange[];
  /** The link or script in a folder of PATH. */
  readonly command?: string;
}

type Place = Pick<AgentFiles, 'folder' | 'record'>;

/** Returns what is recorded; nothing if there's no record. @throws {SessionError} if it can't be read */
export async function readRecord({ record }: Pick<AgentFiles, 'record'>): Promise<InstalledRecord> {
  const value = await readPrivateJson(record);
  const { extensions, changes, command } = isObject(value) ? value : {};
  return {
    extensions: typeof extensions === 'string' ? extensions : '',
    changes: (isArray(changes) ? changes : []).filter(isChange),
    ...(typeof command === 'string' ? { command } : {}),
  };
}

/** @throws {SessionError} if it can't be written */
export async function writeRecord({ folder, record }: Place, value: InstalledRecord): Promise<void> {
  await makePrivateFolder(folder);
  await writePrivateFile(record, JSON.stringify({ version: 1, ...value }));
}

function isChange(value: unknown): value is WrittenChange {
  if (!isObject(value)) return false;
  const { target, file, removed, inserted, isNew } = value;
  return (
    TARGETS.some((one) => one === target) &&
    [file, removed, inserted].every((text) => typeof text === 'string') &&
    typeof isNew === 'boolean'
  );
}
