/** Lists the sessions of a database as if it were a folder. FORMAT section 7. */
import { defined } from '../../format/values/defined';
import { SessionError } from '../../format/entry/problem';
import { databaseSessionPath } from './databaseSession';
import { databases } from './thread/databaseThread';

/** A session in a database. */
interface ListedRow {
  readonly path: string;
  /** Path of the session whose subagent it is. */
  readonly owner?: string;
}

interface DatabaseListing {
  readonly rows: readonly ListedRow[];
  /** Set if the database may hold more than is known. */
  readonly problem?: SessionError;
}

/** Lists the sessions of a database. @throws {SessionError} as `DatabaseThread.request`. */
export async function listDatabase(database: string): Promise<DatabaseListing> {
  const { sessions, missing } = await databases.request('list', database);
  const paths = new Map(sessions.map(({ id }) => [id, databaseSessionPath(database, id)]));
  const rows = sessions.flatMap(({ id, ownerId }): ListedRow[] => {
    const [path, owner] = [paths.get(id), ownerId === undefined ? undefined : paths.get(ownerId)];
    return path === undefined ? [] : [{ path, ...defined({ owner }) }];
  });
  return missing.length === 0 ? { rows } : { rows, problem: unknownSchemaError(database, missing) };
}

const unknownSchemaError = (path: string, missing: readonly string[]): SessionError =>
  new SessionError(
    'version',
    'This OpenClaw database isn’t one that is known: it doesn’t have {names}. Some sessions may be missing or incomplete: {path}',
    { names: missing.join(', '), path },
  );
