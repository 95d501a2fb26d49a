/** The setting `sessionTree.roots`: which session folders the person added. */
import { isDialect } from '../../format/entry/dialect';
import { defined } from '../../format/values/defined';
import { isArray, isObject, type JsonObject } from '../../format/values/jsonValues';
import { SessionError } from '../../format/entry/problem';
import { uiLine } from '../../format/text/uiText';
import { isMapTarget, isPlainAbsolutePath, type PathMap } from './paths/mapPath';
import { expandPath, type Root } from './roots';

/** The roots of the setting, and sentences about values that aren't used. */
export interface RootSetting {
  readonly roots: readonly Root[];
  readonly problems: readonly SessionError[];
}

/** UTF-16 units of the name of a machine, which is part of rows. */
const MAX_MACHINE_LENGTH = 60;

/**
 * Reads the setting. A value that can't be used is left out, with a sentence; the rest of its folder counts. A `readOnly`
 * that isn't understood protects the folder.
 *
 * @param setting the value as the editor has it, which may be anything.
 * @param base the folder that relative paths start at.
 */
export function parseRootSetting(setting: unknown, home: string, base: string): RootSetting {
  const problems: SessionError[] = [];
  if (!isArray(setting)) {
    if (setting !== undefined && setting !== null)
      problems.push(
        new SessionError('invalid', 'The setting “sessionTree.roots” must be a list, so it’s ignored, “readOnly” included: {value}', {
          value: uiLine(JSON.stringify(setting), 200),
        }),
      );
    return { roots: [], problems };
  }
  const roots = setting.flatMap((item): Root[] => {
    const given = typeof item === 'string' ? { path: item } : item;
    if (!isObject(given) || typeof given['path'] !== 'string' || given['path'] === '') {
      problems.push(
        new SessionError('invalid', 'A folder in the setting “sessionTree.roots” has no “path”, so it’s ignored: {value}', {
          value: uiLine(JSON.stringify(item), 200),
        }),
      );
      return [];
    }
    return [rootOfSetting(given, expandPath(given['path'], home, base), home, problems)];
  });
  return { roots, problems };
}

function rootOfSetting(given: JsonObject, path: string, home: string, problems: SessionError[]): Root {
  const { dialect, flat, machine, map, readOnly } = given;
  const check = (name: string, isValid: boolean): boolean => {
    if (!isValid)
      problems.push(
        new SessionError('invalid', 'The value of “{name}” in the setting “sessionTree.roots” is invalid, so it’s ignored: {path}', {
          name,
          path,
        }),
      );
    return isValid;
  };
  check('dialect', dialect === undefined || isDialect(dialect));
  check('flat', flat === undefined || typeof flat === 'boolean');
  const label = typeof machine === 'string' ? uiLine(machine).trim() : undefined;
  const hasLabel = check('machine', machine === undefined || (label !== undefined && label !== '' && label.length <= MAX_MACHINE_LENGTH));
  if (readOnly !== undefined && typeof readOnly !== 'boolean')
    problems.push(
      new SessionError(
        'invalid',
        '“readOnly” in the setting “sessionTree.roots” must be true or false. Until then, this folder is read-only: {path}',
        {
          path,
        },
      ),
    );
  return {
    path,
    dialect: isDialect(dialect) ? dialect : 'pi',
    flat: flat === true,
    ...defined({ machine: hasLabel ? label : undefined, map: mapOf(map, path, home, problems) }),
    ...(readOnly === undefined || readOnly === false ? {} : { readOnly: true }),
  };
}

function mapOf(map: unknown, path: string, home: string, problems: SessionError[]): PathMap | undefined {
  if (map === undefined) return undefined;
  const found = Object.entries(isObject(map) ? map : { '': undefined }).flatMap(([from, to]): [string, string][] => {
    const target = typeof to !== 'string' ? '' : isInHome(to) ? expandPath(to, home) : to;
    if (isPlainAbsolutePath(from) && isMapTarget(target)) return [[from, target]];
    problems.push(
      new SessionError(
        'invalid',
        '“map” in the setting “sessionTree.roots” must lead from absolute paths of the other machine to absolute paths here, without “..”. “{from}” is ignored: {path}',
        { from: uiLine(from, 200), path },
      ),
    );
    return [];
  });
  return found.length > 0 ? Object.fromEntries(found) : undefined;
}

/** True for a path that starts at the home folder and stays in it. */
const isInHome = (path: string): boolean => /^~(?:[\\/]|$)/.test(path) && !path.split(/[\\/]/).includes('..');
