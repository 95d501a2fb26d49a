/** Adds a root's facts about its sessions to their rows. Pure. */
import { mapPath } from '../../files/locate/paths/mapPath';
import type { Root } from '../../files/locate/roots';
import { defined } from '../../format/values/defined';
import type { SessionSummary } from './sessionSummary';

/** Returns the summary with the folders as they are on this machine, the machine's name, and whether the session may be changed. */
export function summaryInRoot(
  summary: SessionSummary,
  { machine, map, readOnly }: Pick<Root, 'machine' | 'map' | 'readOnly'>,
): SessionSummary {
  if (machine === undefined && !map && !readOnly) return summary;
  const { cwd, additionalDirectories: folders } = summary;
  return {
    ...summary,
    cwd: mapPath(cwd, map),
    ...defined({ additionalDirectories: folders ? folders.map((folder) => mapPath(folder, map)) : undefined, machine }),
    ...(readOnly ? { isProtected: true as const, writable: false, isOld: false } : {}),
  };
}
