/** Finds the known parents of forks, whose entries they begin with. Pure. */
import { basename } from 'node:path';
import { withoutSessionSuffix } from '../../format/session/archivedSession';
import { STEP_LENGTH, type Steps } from '../../format/session/steps';
import type { KnownFile } from '../rows/catalogRow';

/** Returns the path of each fork's parent by the fork's path. A parent is named by its path, its id, or a file name that was moved or archived since. */
export function* forkParents(known: Iterable<KnownFile>): Steps<Map<string, string>> {
  const byPath = new Map<string, KnownFile>();
  const byName = new Map<string, KnownFile>();
  let count = 0;
  for (const file of known) {
    if (++count % STEP_LENGTH === 0) yield;
    if (file.row.problem) continue;
    byPath.set(file.path, file);
    for (const name of [file.row.summary.id, withoutSessionSuffix(basename(file.path))]) if (!byName.has(name)) byName.set(name, file);
  }
  const parents = new Map<string, string>();
  for (const file of byPath.values()) {
    if (++count % STEP_LENGTH === 0) yield;
    const name = file.row.summary.parentSession;
    if (name === undefined) continue;
    const parent = byPath.get(name) ?? byName.get(name) ?? byName.get(withoutSessionSuffix(basename(name)));
    if (parent && isOlder(parent, file)) parents.set(file.path, parent.path);
  }
  return parents;
}

/** Orders all files, so that sessions that name each other as parents aren't parents of each other. */
function isOlder(a: KnownFile, b: KnownFile): boolean {
  const difference = a.row.summary.created - b.row.summary.created;
  return difference < 0 || (difference === 0 && a.path < b.path);
}
