/** The thread that writes the database: it serves one request after the other. */
import { mapDatabaseError, isDamage } from '../database/databaseErrors';
import { DamagedDatabase } from '../encoding/damagedDatabase';
import type { Indexer } from '../database/indexer';
import { WritableDatabase } from '../database/writableDatabase';
import { FileIndexer } from './scan/fileIndexer';
import { IndexRun } from './scan/indexRun';
import { serializeError } from '../../files/concurrency/threadErrors';
import type { IndexResponse, IndexRequest, IndexWorkerData } from './protocol/workerProtocol';

export class CatalogWriter {
  private readonly database: WritableDatabase;
  private readonly files: FileIndexer;

  constructor(
    private readonly location: IndexWorkerData,
    private readonly post: (response: IndexResponse) => void,
  ) {
    this.database = new WritableDatabase(location);
    this.files = new FileIndexer(location.pulse);
  }

  /** If the database is damaged, rebuilds it and serves the request once more. */
  async serve(request: IndexRequest): Promise<void> {
    for (let first = true; ; first = false) {
      try {
        if (request.kind === 'close') this.database.close();
        else if (request.kind !== 'check' || this.database.exists) {
          const indexer = this.database.open();
          if (request.kind === 'index') {
            const { files: fileIndexer, post } = this;
            const run = new IndexRun({ indexer, fileIndexer, post }, request);
            await run.run(first ? request.reader : undefined);
          } else if (request.kind === 'forget') this.forget(indexer, request.paths);
          else if (request.damaged === this.database.ino) throw new DamagedDatabase('A reading thread found damage.');
          else {
            this.database.check();
            indexer.purge();
          }
        }
        this.post({ kind: 'done', id: request.id, wasRebuilt: !first });
        return;
      } catch (error) {
        this.database.rollback();
        // Otherwise the reading thread would wait forever.
        if (request.kind === 'index') request.reader?.close();
        if (first && isDamage(error)) {
          this.files.forgetScans();
          this.database.setAside();
        } else {
          this.post({ kind: 'failed', id: request.id, error: serializeError(mapDatabaseError(error, this.location.cacheDir)) });
          return;
        }
      }
    }
  }

  private forget(indexer: Indexer, paths: readonly string[] | undefined): void {
    this.files.forgetScans();
    if (paths === undefined) indexer.empty();
    else {
      indexer.begin();
      indexer.removeUnder(paths);
      indexer.commit();
      indexer.purge();
    }
  }
}
