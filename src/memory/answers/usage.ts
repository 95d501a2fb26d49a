/** Sums of what sessions cost, by day, project, model, program or session. */
import { basename } from 'node:path';
import { defined, USAGE_KEYS, type UsageKey, type UsageSum } from '../../core/index';
import type { Memory } from '../memory';
import { RefMaker } from '../refs';
import { RequestError } from '../requestError';
import { projectFolder, timeOf } from './listSessions';

export interface UsageRequest {
  readonly by?: string;
  readonly since?: string;
  readonly until?: string;
  readonly project?: string;
}

export interface UsageAnswer extends UsageSum {
  /** The session, if the sums are by session. */
  readonly ref?: string;
}

/** @throws {RequestError} for a key or a date that there isn't */
export async function usageOf(memory: Memory, { by = 'day', since, until, project }: UsageRequest = {}): Promise<UsageAnswer[]> {
  const key = keyNamed(by);
  const from = since === undefined ? undefined : timeOf('since', since);
  // The day of `until` is included, and the end of a period is the beginning of the next day.
  const to = until === undefined ? undefined : timeOf('until', until) - 1;
  const catalog = await memory.catalog();
  const folder = project === undefined ? undefined : (projectFolder(project) ?? (await folderNamed(memory, project)));
  if (project !== undefined && folder === undefined) return [];
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
  const paths = memory.hasExcluded ? new Set((await memory.rows()).map(({ path }) => path)) : undefined;
  const sums = await catalog.usage({ by: key, timeZone, ...defined({ since: from, until: to, project: folder, paths }) });
  if (key !== 'session' && key !== 'family') return sums;
  const rows = await memory.rows();
  const [refs, byPath] = [new RefMaker(rows), new Map(rows.map((row) => [row.path, row]))];
  return sums.map((sum) => {
    const row = byPath.get(sum.key);
    return row ? { ...sum, ref: refs.of(row) } : sum;
  });
}

/** @throws {RequestError} */
function keyNamed(name: string): UsageKey {
  const found = USAGE_KEYS.find((key) => key === name);
  if (found) return found;
  throw new RequestError(`Usage can’t be added up by “${name}”. It can by: ${USAGE_KEYS.join(', ')}`);
}

async function folderNamed(memory: Memory, name: string): Promise<string | undefined> {
  const folders = await (await memory.catalog()).folders();
  return folders.find((folder) => basename(folder).toLowerCase().startsWith(name.toLowerCase()));
}
