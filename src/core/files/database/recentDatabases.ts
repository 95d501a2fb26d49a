/** The databases that a thread read last, with the parts of them that were read. */
import { DatabaseView } from './databaseView';

/** Databases whose content is kept as far as it was read; each agent has one. */
const MAX_OPEN = 64;
/** Bytes of pages that all of them keep together while none is read. */
const KEPT_PAGE_BYTES = 16 * 1024 * 1024;

export interface RecentDatabase {
  view: DatabaseView;
}

export class RecentDatabases<T extends RecentDatabase> {
  /** The one that was used last is the last. */
  private readonly open = new Map<string, T>();

  /** @param create makes the state of a database that isn't kept. */
  constructor(private readonly create: (view: DatabaseView) => T) {}

  use(path: string): T {
    const database = this.open.get(path) ?? this.create(new DatabaseView());
    this.open.delete(path);
    for (const oldest of this.open.keys()) {
      if (this.open.size < MAX_OPEN) break;
      this.open.delete(oldest);
    }
    this.open.set(path, database);
    return database;
  }

  /** To be called after each request. */
  trim(): void {
    for (const { view } of this.open.values()) view.trim(KEPT_PAGE_BYTES / this.open.size);
  }
}
