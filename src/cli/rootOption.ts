/** The option `--root <path>[=<dialect>]`: a folder of sessions, or a database. */
import { readdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { databaseOf, DIALECTS, expandPath, isDialect, type Root } from '../core/index';
import { RequestError } from '../memory/requestError';

/**
 * Returns the roots of one folder. Folders of OpenClaw and databases are flat. Others have a folder for each project; a folder that
 * sessions were copied to may have sessions itself, so it's a flat root, too.
 *
 * @throws {RequestError} for a dialect that there isn't
 */
export function rootsOfOption(text: string): Root[] {
  const at = text.lastIndexOf('=');
  const named = at < 0 ? '' : text.slice(at + 1);
  const hasDialect = at >= 0 && !/[\\/]/.test(named);
  if (hasDialect && !isDialect(named)) throw new RequestError(`There is no program “${named}”. The programs are: ${DIALECTS.join(', ')}`);
  const given = hasDialect ? text.slice(0, at) : text;
  if (given === '') throw new RequestError(`The folder of “--root” is missing: ${text}`);
  const path = expandPath(given, homedir(), process.cwd());
  const isDatabase = databaseOf(path) === path;
  const dialect = hasDialect && isDialect(named) ? named : isDatabase ? 'openclaw' : 'pi';
  const flat = { path, dialect, flat: true };
  if (dialect === 'openclaw') return [flat];
  const deep = { path, dialect, flat: false };
  return hasSessions(path) ? [deep, flat] : [deep];
}

/** A folder that can't be listed is reported by what reads it. */
function hasSessions(folder: string): boolean {
  try {
    return readdirSync(folder).some((name) => name.endsWith('.jsonl'));
  } catch {
    return false;
  }
}
