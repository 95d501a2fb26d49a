/** The database as the worker has it: opened when it is first needed, and again when it was replaced. */
import { statSync } from 'node:fs';
import { Checkpoints } from './checkpoints';
import { isDamage } from './databaseErrors';
import { databasePath, openForWriting, setAside, type DatabaseLocation } from './database';
import { Indexer } from './indexer';
import { SealedFile } from './sealedFile';

export class WritableDatabase {
  private indexer: Indexer | undefined;
  private readonly file: SealedFile;

  constructor(private readonly place: DatabaseLocation) {
    this.file = new SealedFile(databasePath(place));
  }

  /** Number of its file; `undefined` while it isn't open. */
  get ino(): bigint | undefined {
    return this.file.ino;
  }

  /** `onOpen`: it had to be opened, and was checked. @throws {DamagedDatabase} */
  open(onOpen: () => void): Indexer {
    // Another window may have put another in its place.
    if (this.indexer && statSync(databasePath(this.place), { bigint: true, throwIfNoEntry: false })?.ino !== this.ino) this.discard();
    if (!this.indexer) {
      const database = openForWriting(this.place, this.file);
      this.indexer = new Indexer(database, this.place.indexed, new Checkpoints(database, this.place, this.file));
      onOpen();
    }
    return this.indexer;
  }

  rollback(): void {
    this.indexer?.rollback();
  }

  /** Makes a checkpoint if one is due. Never throws. */
  checkpoint(): void {
    try {
      this.indexer?.checkpoints.runIfDue('idle');
    } catch (error) {
      // Of anything else nothing is lost: it is made after the next change, which tells why it can't be.
      if (isDamage(error)) this.discard();
    }
  }

  /** Puts the damaged one out of the way, for all windows. */
  setAside(): void {
    const { ino } = this;
    this.discard();
    setAside(this.place, ino);
  }

  close(): void {
    try {
      this.indexer?.close();
    } catch (error) {
      // The next window finds it.
      if (!isDamage(error)) throw error;
    } finally {
      this.indexer = undefined;
      this.file.close();
    }
  }

  private discard(): void {
    this.indexer?.discard();
    this.indexer = undefined;
    this.file.close();
  }
}
