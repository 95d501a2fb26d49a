/** Recovers a damaged session: creates a copy in the same folder with everything that is intact. FORMAT section 6, rule 10. */
import { dirname, resolve } from 'node:path';
import { defined } from '../../format/values/defined';
import { DIALECT_FACTS } from '../../format/entry/dialect';
import { SessionError } from '../../format/entry/problem';
import { planCopy } from '../../format/import/planCopy';
import { Yielder } from '../concurrency/eventLoop';
import { rootOf, type Root } from '../locate/roots';
import type { CreationTools } from '../write/creationTools';
import { importInsteadError } from '../write/forkSession';
import { systemStamp } from '../write/systemStamp';
import { readWithHeader } from './missingHeader';
import { writeCopy, type CopiedSession } from './writeCopy';

/** Options of {@link recoverSession}. */
export interface RecoverOptions extends Partial<CreationTools> {
  /** The known roots, which provide the dialect of a file that doesn't reveal it. */
  readonly roots?: readonly Root[];
  readonly signal?: AbortSignal;
  /** Folder of the project, for a file without a header. By default the project folder of the other sessions next to the file. */
  readonly targetCwd?: string;
  /** Asks for the folder if nothing says which it is. */
  readonly askForProject?: () => Promise<string>;
}

/**
 * Copies all whole lines of a session into a new file in the same folder. The copy has the same project, parent and name,
 * and a new id; its notes name each line that was left out or changed. The original isn't changed.
 *
 * @param path of a session; a missing header is made.
 * @throws {SessionError} `invalid` if no line is damaged or the project isn't known, `read-only` for a program whose files aren't written; `not-found`,
 * `not-a-session`, `version` (above 3), `changed`, `permission` or `no-space`.
 */
export async function recoverSession(path: string, options: RecoverOptions = {}): Promise<CopiedSession> {
  const source = resolve(path);
  await options.assertChangeable?.(source);
  const dialect = rootOf(source, options.roots ?? [])?.dialect;
  const { targetCwd: cwd, askForProject } = options;
  const session = await readWithHeader(source, source, { cwd, askForProject }, defined({ dialect, signal: options.signal }));
  if (!DIALECT_FACTS[session.dialect].writable) throw importInsteadError(source, session.dialect);
  if (session.problems.length === 0)
    throw new SessionError('invalid', 'No line of this session is damaged, so there’s nothing to recover: {path}', { path: source });
  const request = { kind: 'recovery', cwd: session.header.cwd, source } as const;
  const plan = await new Yielder(options.signal).run(planCopy(session, request, options.stamp ?? systemStamp()));
  return writeCopy(session, plan, dirname(source), options.disk);
}
