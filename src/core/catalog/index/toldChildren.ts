/** The sessions of subagents that a tool's result tells the usage of. Pure. */
import { basename, isAbsolute, join, sep } from 'node:path';
import { asString, isArray, isObject, type JsonObject } from '../../format/values/jsonValues';
import { withoutSessionSuffix } from '../../format/session/archivedSession';

/** Limits of a result: the number of sessions, and the length of each name. */
const MAX_CHILDREN = 1000;
const MAX_NAME_LENGTH = 4096;

/**
 * Returns the names of the sessions whose usage a tool's result has as its own: `details.sessionFile`, and in `details.results`
 * each `sessionFile` (pi-subagents), or `id` (oh-my-pi). Most results have no usage.
 */
export function toldChildren(line: JsonObject): string[] {
  const message = line['message'];
  if (line['type'] !== 'message' || !isObject(message) || message['role'] !== 'toolResult' || !isObject(message['usage'])) return [];
  const details = isObject(message['details']) ? message['details'] : {};
  const results = isArray(details['results']) ? details['results'].slice(0, MAX_CHILDREN) : [];
  return [details, ...results].flatMap((result) => {
    const name = isObject(result)
      ? (asString(result['sessionFile']) ?? (result === details ? undefined : asString(result['id'])))
      : undefined;
    return name !== undefined && name !== '' && name.length <= MAX_NAME_LENGTH ? [name] : [];
  });
}

/** Returns the paths that the named sessions may have now: they move with the session that started them. */
export function pathsOfChildren(session: string, names: readonly string[]): string[] {
  const folder = withoutSessionSuffix(session);
  const inFolder = `${sep}${basename(folder)}${sep}`;
  return names.flatMap((name) => {
    if (!isAbsolute(name)) return name === basename(name) ? [join(folder, `${name}.jsonl`)] : [];
    const at = name.lastIndexOf(inFolder);
    return at < 0 ? [name] : [...new Set([name, join(folder, name.slice(at + inFolder.length))])];
  });
}
