/**
 * Files that OpenClaw has imported to a database, where it continues them under the same id. They stay beside the database, and
 * are the same session as long as the database has all of their lines. FORMAT section 7.
 */
import { stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { elementAt } from '../../format/values/lookups';
import { splitDatabasePath } from '../database/databaseSession';
import { filterListing, type Listing, type SessionPath } from '../locate/listFiles';
import { hasGrown, sameVersion } from './versions/compareVersions';
import { fileVersion, type FileVersion } from './versions/fileVersion';
import { databaseVersions } from './versions/findFileVersion';
import { findMissingLine, hasLine, type LineDigest } from './missingLine';

/** A comparison of a file with a session of the same id in a database. */
interface Comparison {
  readonly stored: string;
  readonly file: FileVersion;
  readonly row: FileVersion;
  /** A line of the file that the database doesn't have; `undefined` if it has all. */
  readonly missing: LineDigest | undefined;
}

export class ImportedFiles {
  /** The paths of sessions in databases, by their names. */
  private readonly stored = new Map<string, string>();
  /** The last comparison of each file. */
  private readonly comparisons = new Map<string, Comparison>();

  /** @param find finds a line that a database lacks; see {@link findMissingLine} */
  constructor(private readonly find: typeof findMissingLine = findMissingLine) {}

  /** True if there are sessions in databases. */
  get hasStored(): boolean {
    return this.stored.size > 0;
  }

  /** Returns the files that have lines which their database lacks, with the path of the session there. */
  diverged(): ReadonlyMap<string, string> {
    return new Map([...this.comparisons].flatMap(([path, { stored, missing }]) => (missing === undefined ? [] : [[path, stored]])));
  }

  /** Leaves out the files that a database has all of. @param isComplete true if the listing has all databases */
  async leaveOut(listing: Listing, isComplete: boolean): Promise<Listing> {
    if (isComplete) this.stored.clear();
    for (const { path, isStored } of listing.files) if (isStored) this.stored.set(basename(path), path);
    const twins = new Map<SessionPath, string>();
    for (const file of this.stored.size === 0 ? [] : listing.files) {
      const stored = file.isStored || file.root.dialect !== 'openclaw' ? undefined : this.stored.get(basename(file.path));
      if (stored !== undefined) twins.set(file, stored);
    }
    const paths = new Set([...twins.keys()].map(({ path }) => path));
    if (isComplete) for (const path of this.comparisons.keys()) if (!paths.has(path)) this.comparisons.delete(path);
    if (twins.size === 0) return listing;
    const rows = await this.versionsOf(twins);
    for (const [{ path }, stored] of twins) await this.compare(path, stored, rows.get(stored));
    const isKept = (file: SessionPath): boolean => {
      const known = twins.has(file) ? this.comparisons.get(file.path) : undefined;
      return !known || known.missing !== undefined;
    };
    return filterListing(listing, isKept);
  }

  /** Returns the versions of the sessions in databases, as far as these can be read. */
  private async versionsOf(twins: ReadonlyMap<SessionPath, string>): Promise<Map<string, FileVersion>> {
    const byDatabase = new Map<string, { readonly id: string; readonly stored: string; readonly before: FileVersion | undefined }[]>();
    for (const [{ path }, stored] of twins) {
      const at = splitDatabasePath(stored);
      if (!at) continue;
      const one = { id: at.id, stored, before: this.comparisons.get(path)?.row };
      byDatabase.set(at.database, [...(byDatabase.get(at.database) ?? []), one]);
    }
    const found = new Map<string, FileVersion>();
    for (const [database, sessions] of byDatabase) {
      const ids = sessions.map(({ id }) => id);
      const before = sessions.map((one) => one.before);
      // A database that can't be read is a problem of its listing, and what was known of it still counts.
      const versions = await databaseVersions(database, ids, before).catch(() => []);
      for (const [at, version] of versions.entries())
        if (version && !(version instanceof Error)) found.set(elementAt(sessions, at).stored, version);
    }
    return found;
  }

  /** Compares a file unless the answer is known: then only what the database has added is read. */
  private async compare(path: string, stored: string, row: FileVersion | undefined): Promise<void> {
    const known = this.comparisons.get(path);
    if (!row) return;
    try {
      const file = fileVersion(await stat(path, { bigint: true }));
      if (known?.stored === stored && sameVersion(known.file, file)) {
        const isKnown = sameVersion(known.row, row) || (hasGrown(known.row, row) && !(await this.gains(known)));
        if (isKnown) {
          this.comparisons.set(path, { ...known, row });
          return;
        }
      }
      this.comparisons.set(path, { stored, file, row, missing: await this.find(path, stored) });
    } catch {
      // A file that can't be read gets its own row with the reason.
      this.comparisons.delete(path);
    }
  }

  /** True if the database has got the missing line since. */
  private async gains({ stored, row, missing }: Comparison): Promise<boolean> {
    return missing !== undefined && (await hasLine(stored, row.size, missing));
  }
}
