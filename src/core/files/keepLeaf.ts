/**
 * A label or a rename keeps the session where it is (FORMAT section 6, rule 3): its line hangs off the leaf. Another
 * program's line that comes in between the decision and the write makes that an older leaf, and since the programs
 * open a session at its last line, ours would take the session back there. No lock that all programs hold rules this
 * out, and nothing is ever shortened. So the same line is written once more, hanging off the newest entry: it says
 * what the first one said, and takes the session to where the other program left it.
 */
import { decide, type Change, type Decision, type NewLine } from '../format/change';
import type { JsonObject } from '../format/entry';
import type { Stamp } from '../format/names';
import { SessionError } from '../format/problem';
import type { Session } from '../format/session';
import { appendText, type Appended } from './appendLines';
import type { Disk } from './disk';
import { followSession, withLines, type FileVersion } from './sessionFile';
import { versionOf } from './versions';

interface Written {
  /** What the decision was made from. */
  readonly session: Session;
  readonly change: Change;
  readonly decision: Decision;
  readonly done: Appended;
  /** The session with the decision's lines. */
  readonly after: Session;
}

interface Kept {
  readonly entryId: string;
  readonly version: FileVersion;
  readonly session: Session;
}

/** Lines that may be overtaken in turn, before we say so. */
const ATTEMPTS = 10;

/**
 * Takes the session back to its leaf if the lines of a label or a rename moved it.
 *
 * @returns `undefined` if they didn't.
 * @throws {SessionError} `damaged` if it could not be taken back.
 */
export async function keepLeaf({ session, change, decision, done, after }: Written, { stamp, disk }: { readonly stamp: Stamp; readonly disk: Disk }): Promise<Kept | undefined> {
  let leafId = movedFrom(session, change, decision, done);
  let now = after;
  let kept: Kept | undefined;
  for (let left = ATTEMPTS; leafId !== undefined && left > 0; left--) {
    try {
      const version = await versionOf(session.path);
      now = await followSession(now, { dialect: session.dialect });
      // Another program's line is the last one by now, and it is there that the session opens.
      if (now.leafId !== (kept?.entryId ?? decision.entryId)) return { entryId: decision.entryId, version, session: now, ...kept };
      const again = decide(now, { kind: 'append', lines: [{ ...sameAgain(decision), parentId: leafId }] }, stamp);
      const written = await appendText(now, version, linesText(again.lines), undefined, disk);
      const before = now;
      now = await followSession(now, { dialect: session.dialect });
      kept = { entryId: again.entryId, version: written.version, session: now };
      leafId = movedFrom(before, change, again, written);
    } catch (error) {
      if (!(error instanceof SessionError && error.code === 'changed')) throw notKept(session, error);
    }
  }
  if (leafId !== undefined) throw notKept(session);
  return kept;
}

/** The leaf of the other program's lines, when ours came right after them and hang off an older one. */
function movedFrom(session: Session, { kind }: Change, { lines }: Decision, { overtaken }: Appended): string | undefined {
  if (overtaken === '' || (kind !== 'label' && kind !== 'rename')) return undefined;
  const { leafId } = withLines(session, overtaken);
  return leafId === null || leafId === lines[0]?.['parentId'] ? undefined : leafId;
}

/** What a line says, without its own id and time: those are new. */
function sameAgain({ lines }: Decision): NewLine {
  return { ...lines.at(-1), id: undefined, timestamp: undefined } as unknown as NewLine;
}

export const linesText = (lines: readonly JsonObject[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

function notKept({ path }: Session, cause?: unknown): SessionError {
  return new SessionError(
    'damaged',
    'The change is in the file, but another program’s line came in right before it, so the session opens at an older place now. Go to its newest entry and branch there: {path}',
    { path },
    { cause },
  );
}
