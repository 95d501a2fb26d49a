/** Forks as pi's API makes them: a whole session in another project, and a path in memory. */
import { resolve } from 'node:path';
import { defined } from '../../format/values/defined';
import type { Dialect } from '../../format/entry/dialect';
import type { JsonObject } from '../../format/values/jsonValues';
import { migrateLine } from '../../format/parse/migrateLine';
import { planFork } from '../../format/write/fork';
import { finishSteps } from '../../format/session/steps';
import type { Stamp } from '../../format/write/sessionNames';
import { defaultSessionDir, dialectOfPath } from '../locate/programs/programFolders';
import { readSession } from '../read/sessionFile';
import { forkLoadedSession } from '../write/forkSession';
import { createWriter, type Writer } from '../write/sessionWriter';
import { systemStamp } from '../write/systemStamp';
import type { BufferedSession } from './bufferedSession';
import { assertSessionId } from './newSession';

/** A fork that was written, and what its manager uses. */
interface ForkedSession {
  readonly path: string;
  readonly dialect: Dialect;
  readonly writer: Writer;
  readonly stamp: Stamp;
}

/**
 * Copies a whole session with all branches to another project.
 *
 * @param sessionDir folder of the new file; by default the project's
 * @throws {SessionError} `invalid` for an unusable id; as `forkSession`.
 */
export async function forkToProject(
  sourcePath: string,
  targetCwd: string,
  sessionDir: string | undefined,
  options: { readonly id?: string; readonly dialect?: Dialect; readonly writer?: Writer; readonly stamp?: Stamp },
): Promise<ForkedSession> {
  if (options.id !== undefined) assertSessionId(options.id);
  const path = resolve(sourcePath);
  const source = await readSession(path, { dialect: options.dialect ?? dialectOfPath(path) ?? 'pi' });
  const cwd = resolve(targetCwd);
  const stamp = options.stamp ?? systemStamp();
  const writer = options.writer ?? createWriter(stamp);
  const fork = await forkLoadedSession(source, {
    targetCwd: cwd,
    sessionDir: sessionDir ?? defaultSessionDir(cwd, source.dialect),
    stamp,
    ...defined({ id: options.id }),
  });
  await writer.own(fork.path);
  return { path: fork.path, dialect: source.dialect, writer, stamp };
}

/** Returns the header and the lines of a new session with the path to an entry. */
export function branchedSessionLines(
  buffer: BufferedSession,
  leafId: string,
  stamp: Stamp,
): { readonly header: JsonObject; readonly lines: JsonObject[] } {
  const plan = finishSteps(planFork(buffer.session, { entryId: leafId, position: 'at' }, stamp));
  const bodies = buffer.bodies(plan.entries.map(({ head }) => head));
  // The entries were parsed from lines, and have their members.
  const lines = plan.entries.map(({ target }, index): JsonObject => migrateLine(bodies[index] as unknown as JsonObject, target));
  const header = Object.fromEntries(Object.entries(plan.header).filter(([key]) => key !== 'parentSession'));
  return { header, lines: [...lines, ...plan.addedLines] };
}
