/** The worker's connection to the database: opened when it is first needed, and again after the database was replaced. */
import { statSync } from 'node:fs';
import { Checkpoints } from './integrity/checkpoints';
import { isDamage } from './databaseErrors';
import { databasePath, openForWriting, setAside, type DatabaseLocation } from './database';
import { Indexer } from './indexer';
import { SealedFile } from './integrity/sealedFile';

export class WritableDatabase {
  private indexer: Indexer | undefined;
  private readonly file: SealedFile;

  constructor(private readonly location: DatabaseLocation) {
    this.file = new SealedFile(databasePath(location));
  }

  /** The file's inode; `undefined` while it isn't open. */
  get ino(): bigint | undefined {
    return this.file.ino;
  }

  /** @param onOpen called if the database had to be opened, and so was checked. @throws {DamagedDatabase} */
  open(onOpen: () => void): Indexer {
    // Another window may have replaced the database.
    if (this.indexer && statSync(databasePath(this.location), { bigint: true, throwIfNoEntry: false })?.ino !== this.ino) this.discard();
    if (!this.indexer) {
      const database = openForWriting(this.location, this.file);
      this.indexer = new Indexer(database, this.location.hasWordIndex, new Checkpoints(database, this.location, this.file));
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
      // Other errors lose nothing: the checkpoint after the next change repeats and reports them.
      if (isDamage(error)) this.discard();
    }
  }

  /** Moves a damaged database out of the way, for all windows. */
  setAside(): void {
    const { ino } = this;
    this.discard();
    setAside(this.location, ino);
  }

  close(): void {
    try {
      this.indexer?.close();
    } catch (error) {
      // The next window that opens it will find the damage.
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
