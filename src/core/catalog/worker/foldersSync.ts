/** Reads folders and the versions of the sessions in them synchronously. A disk that hangs blocks the thread, so this isn't for one that must stay responsive. */
import { createHash } from 'node:crypto';
import { opendirSync, statSync, type Dirent } from 'node:fs';
import { join, sep } from 'node:path';
import { isSmallFolder } from '../../files/locate/folderEntries';
import { contentOf } from '../../files/locate/listFiles';
import { fileVersionsSync } from './fileVersionsSync';
import { packNames, type FolderRequest, type PackedFolder, type ReadFolder } from './protocol/packedFolder';
import { NUMBERS, type VersionNumbers } from './protocol/versionNumbers';

/** Milliseconds after which no other folder is begun, and after which no other version is read. Other requests wait meanwhile. */
const [FOLDERS_MS, VERSIONS_MS] = [20, 300];
/** Entries that one call to the disk returns. */
const ENTRIES_AT_ONCE = 64;

/** Reads folders until the time is up, at least the first one. Never throws. */
export function foldersSync(requests: readonly FolderRequest[]): ReadFolder[] {
  const began = performance.now();
  const read: ReadFolder[] = [];
  for (const { path, digest } of requests) {
    if (read.length > 0 && performance.now() - began > FOLDERS_MS) break;
    const folder = folderSync(path, began + VERSIONS_MS);
    read.push(folder && digest !== '' && folder.digest === digest ? 'same' : folder);
  }
  return read;
}

function folderSync(path: string, until: number): PackedFolder | null {
  try {
    if (!isSmallFolder(statSync(path).size)) return null;
    const content = contentOf(entriesIn(path));
    const versions = fileVersionsSync(content.names, until, join(path, sep));
    const [names, folders] = [packNames(content.names), packNames(content.folders)];
    const digest = areRead(versions) ? digestOf([names, folders, String(content.count)], versions) : '';
    return { names, folders, count: content.count, versions, digest };
  } catch {
    return null;
  }
}

/** One by one: thousands of entries in one list would become old objects of the thread. */
function* entriesIn(path: string): Generator<Dirent> {
  const folder = opendirSync(path, { bufferSize: ENTRIES_AT_ONCE });
  try {
    for (let entry = folder.readSync(); entry; entry = folder.readSync()) yield entry;
  } finally {
    folder.closeSync();
  }
}

/** True if the version of each file was read. */
const areRead = (versions: VersionNumbers): boolean => versions.every((number, at) => at % NUMBERS > 0 || number >= 0);

/** Returns a digest that is cryptographic, because whoever wrote the files chose their names. */
function digestOf(texts: readonly string[], numbers: VersionNumbers): string {
  const hash = createHash('sha256');
  for (const text of texts) hash.update(`${text}\0`);
  return hash.update(numbers).digest('base64');
}
