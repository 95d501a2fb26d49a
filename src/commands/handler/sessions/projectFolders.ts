/** Folders of projects, compared as the platform does: Windows writes a drive's letter in either case. */
import { pathKey, type Dialect, type SessionSummary } from '../../../core/index';

/** Returns the folders without repetitions, each as it's written first. */
export function distinctFolders(folders: readonly string[], platform: NodeJS.Platform): string[] {
  const found = new Map<string, string>();
  for (const folder of folders) {
    const key = pathKey(folder, platform);
    if (!found.has(key)) found.set(key, folder);
  }
  return [...found.values()];
}

/** Returns the dialects of a project's sessions, in the sessions' order. */
export function dialectsIn(
  sessions: readonly Pick<SessionSummary, 'cwd' | 'dialect'>[],
  cwd: string,
  platform: NodeJS.Platform,
): Dialect[] {
  const project = pathKey(cwd, platform);
  return [...new Set(sessions.filter((session) => pathKey(session.cwd, platform) === project).map(({ dialect }) => dialect))];
}
