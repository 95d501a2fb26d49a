/** The texts of files that sessions name, as the disk has them. */
import { realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { errorCode, isMissing } from '../../files/io/fileErrors';
import { readFound, type FoundBytes } from '../../files/restore/foundFile';
import { UntrustedPaths } from '../../files/io/untrustedPaths';
import { expandPath } from '../../files/locate/roots';
import { placeWithin } from '../../files/relink/movedPaths';
import { SessionError } from '../../format/entry/problem';
import { wholeText, type WholeText } from '../../format/lineOrigins/versions/wholeText';
import { textOnDisk } from './lineOrigins';

/** The text of a file on the disk; `undefined` if there is none. `isKnown` is false if it can't be read, or isn't text. */
export interface DiskText {
  readonly text: WholeText | undefined;
  readonly isKnown: boolean;
  /** The bytes of a regular file below the session's folder, and its path with all links resolved. */
  readonly found?: { readonly path: string; readonly bytes: FoundBytes };
}

/** Reads the text on the disk. A session may have named the file. */
export async function currentText(file: string, untrusted: UntrustedPaths): Promise<DiskText> {
  const path = resolve(expandPath(file, homedir()));
  if (await untrusted.isRefused(path)) return UNREADABLE;
  try {
    const text = await textOnDisk(path);
    return { text: text === undefined ? undefined : wholeText(text), isKnown: true };
  } catch (error) {
    if (error instanceof SessionError || isMissing(error)) return UNREADABLE;
    throw error;
  }
}

const NO_FILE: DiskText = { text: undefined, isKnown: true };
const UNREADABLE: DiskText = { text: undefined, isKnown: false };

/** Reads files below a folder, through no link within it: it could lead out. */
export class FolderDisk {
  private readonly untrusted = new UntrustedPaths();
  private readonly places = new Map<string, Promise<string | undefined>>();

  constructor(private readonly folder: string) {}

  async text(file: string): Promise<DiskText> {
    try {
      const rest = placeWithin(this.folder, file);
      if (rest === undefined || (await this.untrusted.isRefused(file))) return await currentText(file, this.untrusted);
      const [root, parent] = await Promise.all([this.realFolder(this.folder), this.realFolder(dirname(file))]);
      if (root === undefined || parent === undefined) return NO_FILE;
      const path = join(root, rest);
      if (parent !== dirname(path)) return UNREADABLE;
      const bytes = await readFound(path);
      return bytes ? { text: wholeText(bytes.bytes.toString('utf8')), isKnown: true, found: { path, bytes } } : NO_FILE;
    } catch (error) {
      // A session may name a path that no file can have.
      if (!(error instanceof SessionError) && errorCode(error) === undefined) throw error;
      return UNREADABLE;
    }
  }

  private realFolder(folder: string): Promise<string | undefined> {
    let finding = this.places.get(folder);
    if (!finding) this.places.set(folder, (finding = realpath(folder).catch(unlessMissing)));
    return finding;
  }
}

function unlessMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error;
}
