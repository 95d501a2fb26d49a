/** Lists the session files of roots and reads their versions, with as little work as possible for unchanged files. */
import { Yielder } from '../../files/concurrency/eventLoop';
import { listFiles, areApart, type Listing } from '../../files/locate/listFiles';
import type { OnProblem } from '../../files/locate/folderEntries';
import type { Root } from '../../files/locate/roots';
import type { FileVersionResult } from '../../files/read/versions/statFiles';
import type { FileVersion } from '../../files/read/sessionFile';
import { elementAt } from '../../format/values/lookups';
import { FileVersionReader } from './fileVersionReader';
import { FolderReader } from './folderReader';
import { InspectionThread } from './inspectionThread';

/** The state of a file when it was found or read earlier. */
export interface DiskFile {
  readonly path: string;
  readonly version: FileVersion;
  readonly owner?: string;
}

export class DiskReader {
  /** Reads folders and versions of many files. */
  readonly thread = new InspectionThread();
  readonly folders = new FolderReader(this.thread);
  private readonly versions: FileVersionReader;

  constructor(
    roots: () => readonly Root[],
    /** Returns the known file at a path. */
    private readonly known: (path: string) => DiskFile | undefined,
    /** True if files of OpenClaw may be in databases, too: then each listing needs all of them. */
    private readonly hasStored: () => boolean,
  ) {
    this.versions = new FileVersionReader(() => roots().map(({ path }) => path), this.thread);
  }

  /** Lists everything. */
  listAll(roots: readonly Root[], onProblem: OnProblem): Promise<Listing> {
    // If one contains another, the first of them lists a file.
    const isUsed = areApart(roots);
    return listFiles(roots, onProblem, undefined, {
      earlier: this.known,
      readFolder: async (path, root, owner) => {
        if (!isUsed || (root.dialect === 'openclaw' && this.hasStored())) return undefined;
        return this.folders.read(path, root, owner);
      },
    });
  }

  /** Returns the versions of listed files. Versions that were read with their folder aren't read again. */
  async readVersions({ files, versions }: Listing, signal: AbortSignal | undefined): Promise<readonly FileVersionResult[]> {
    const left: number[] = [];
    const paths: string[] = [];
    const pause = new Yielder(signal);
    for (let at = 0; at < files.length; at++) {
      if (pause.isDue()) await pause.yieldIfDue();
      if (versions[at] !== undefined) continue;
      left.push(at);
      paths.push(elementAt(files, at).path);
    }
    if (left.length === 0) return versions;
    const read = await this.versions.read(paths, signal, (path) => this.known(path)?.version);
    const all: FileVersionResult[] = versions.slice();
    left.forEach((at, index) => (all[at] = read[index]));
    return all;
  }
}
