/** The texts of files that sessions name, as the disk has them. */
import { lstat, realpath } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { errorCode, isMissing } from '../../files/io/fileErrors';
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

const UNREADABLE: DiskText = { text: undefined, isKnown: false };

/** Reads files below a folder, through no link within it: it could lead out. */
export class FolderDisk {
  private readonly untrusted = new UntrustedPaths();
  private readonly places = new Map<string, Promise<string | undefined>>();

  constructor(private readonly folder: string) {}

  async text(file: string): Promise<DiskText> {
    try {
      const rest = placeWithin(this.folder, file);
      const isLinked = rest !== undefined && !(await this.untrusted.isRefused(file)) && (await this.isLinked(file, rest));
      return isLinked ? UNREADABLE : await currentText(file, this.untrusted);
    } catch (error) {
      // A session may name a path that no file can have.
      if (errorCode(error) === undefined) throw error;
      return UNREADABLE;
    }
  }

  private async isLinked(file: string, rest: string): Promise<boolean> {
    const [root, parent, stats] = await Promise.all([
      this.realFolder(this.folder),
      this.realFolder(dirname(file)),
      lstat(file).catch(unlessMissing),
    ]);
    if (stats?.isSymbolicLink() === true) return true;
    return root !== undefined && parent !== undefined && parent !== dirname(join(root, rest));
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
