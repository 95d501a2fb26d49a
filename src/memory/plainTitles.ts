/**
 * Digests of titles in which no rule found a secret: a list of known sessions would take most of its time for searching them again.
 */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { isArray, isObject, overwritePrivateFile, readPrivateJson } from '../core/index';

/** More digests than this are less than the megabyte that is read. */
const MAX_DIGESTS = 30_000;

export class PlainTitles {
  private constructor(
    private readonly folder: string,
    private readonly version: string,
    private readonly digests: Set<string>,
  ) {}

  /**
   * @param folder of the index
   * @param version of the program: another one may find more
   * @throws {SessionError} if the file can't be read; a torn one has no titles
   */
  static async read(folder: string, version: string): Promise<PlainTitles> {
    const stored = await readPrivateJson(fileIn(folder));
    const digests = isObject(stored) && stored['version'] === version && isArray(stored['titles']) ? stored['titles'] : [];
    return new PlainTitles(folder, version, new Set(digests.filter((digest) => typeof digest === 'string')));
  }

  has(title: string): boolean {
    return this.digests.has(digestOf(title));
  }

  /** Keeps more titles. @throws {SessionError} if they can't be written */
  async add(titles: readonly string[]): Promise<void> {
    if (this.digests.size + titles.length > MAX_DIGESTS) this.digests.clear();
    for (const title of titles.slice(0, MAX_DIGESTS)) this.digests.add(digestOf(title));
    await overwritePrivateFile(fileIn(this.folder), JSON.stringify({ version: this.version, titles: [...this.digests] }));
  }
}

const fileIn = (folder: string): string => join(folder, 'titles.json');

/** 16 bytes: nobody finds another title with the same ones. */
const digestOf = (title: string): string => createHash('sha256').update(title).digest('base64').slice(0, 22);
