/** The note about a session's origin: the last line of an imported or recovered session. FORMAT section 6, rule 10. */
import { defined } from '../values/defined';
import type { JsonObject } from '../values/jsonValues';
import { ORIGIN_MARK } from '../session/treeTraversal';
import type { Stamp } from '../write/sessionNames';
import type { Omission } from './omissions';

/** The origin of a session. */
export interface Origin {
  readonly kind: 'import' | 'recovery';
  /** Name of the program that wrote the original. */
  readonly program: string;
  /** Path of the original. */
  readonly file: string;
  /** Values of the original's header that the new header lacks. */
  readonly sessionId?: string;
  readonly cwd?: string;
  readonly parentSession?: string;
  readonly additionalDirectories?: unknown;
  /** The parts that were left out or changed. */
  readonly omissions: readonly Pick<Omission, 'count' | 'lines' | 'message'>[];
}

/**
 * Returns the line, a `custom` entry, which programs keep and leave out of the context. Its parent is the leaf, so the session
 * continues where the original does.
 */
export function originLine(origin: Origin, id: string, leafId: string | null, stamp: Stamp): JsonObject {
  const { omissions, kind, program, file, sessionId, cwd, parentSession, additionalDirectories } = origin;
  return {
    type: 'custom',
    id,
    parentId: leafId,
    timestamp: stamp.now().toISOString(),
    customType: ORIGIN_MARK,
    data: {
      kind,
      program,
      file,
      ...defined({ sessionId, cwd, parentSession, additionalDirectories }),
      omissions: omissions.map(({ message, count, lines }) => ({ message, count, lines })),
    },
  };
}
