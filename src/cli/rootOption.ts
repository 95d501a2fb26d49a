/** The option `--root <path>[=<dialect>]`: a folder of sessions, or a database. */
import { homedir } from 'node:os';
import { databaseOf, DIALECTS, expandPath, isDialect, type Root } from '../core/index';
import { RequestError } from '../memory/requestError';

/** Folders of OpenClaw and databases are flat; others have a folder for each project. @throws {RequestError} for a dialect that there isn't */
export function rootOfOption(text: string): Root {
  const at = text.lastIndexOf('=');
  const named = at < 0 ? '' : text.slice(at + 1);
  const hasDialect = at >= 0 && !/[\\/]/.test(named);
  if (hasDialect && !isDialect(named)) throw new RequestError(`There is no program “${named}”. The programs are: ${DIALECTS.join(', ')}`);
  const given = hasDialect ? text.slice(0, at) : text;
  if (given === '') throw new RequestError(`The folder of “--root” is missing: ${text}`);
  const path = expandPath(given, homedir(), process.cwd());
  const isDatabase = databaseOf(path) === path;
  const dialect = hasDialect && isDialect(named) ? named : isDatabase ? 'openclaw' : 'pi';
  return { path, dialect, flat: dialect === 'openclaw' };
}
