/**
 * A label or a rename keeps the session where it is (FORMAT section 6, rule 3): its line hangs off the leaf. Another
 * program's line that comes in between the decision and the write makes that an older leaf, and since the programs
 * open a session at its last line, ours would take the session back there. No lock that all programs hold rules this
 * out, and nothing is ever shortened. So the same line is written once more, hanging off the newest entry: it says
 * what the first one said, and takes the session to where the other program left it.
 */
import { planChange, type Change, type ChangePlan, type NewLine } from '../../format/write/change';
import type { JsonObject } from '../../format/entry/entry';
import type { Stamp } from '../../format/write/sessionNames';
import { SessionError } from '../../format/entry/problem';
import type { Session } from '../../format/session/session';
import { appendText, type AppendResult } from './appendText';
import type { Disk } from '../io/disk';
import { followSession, withAppendedLines, type FileVersion } from '../read/sessionFile';
import { readFileVersion } from '../read/compareVersions';

interface AppliedChange {
  /** What the decision was made from. */
  readonly session: Session;
  readonly change: Change;
  readonly decision: ChangePlan;
  readonly done: AppendResult;
  /** The session with the decision's lines. */
  readonly after: Session;
}

interface PreservedLeaf {
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
export async function preserveLeaf({ session, change, decision, done, after }: AppliedChange, { stamp, disk }: { readonly stamp: Stamp; readonly disk: Disk }): Promise<PreservedLeaf | undefined> {
  let leafId = displacedLeaf(session, change, decision, done);
  let now = after;
  let kept: PreservedLeaf | undefined;
  for (let left = ATTEMPTS; leafId !== undefined && left > 0; left--) {
    try {
      const version = await readFileVersion(session.path);
      now = await followSession(now, { dialect: session.dialect });
      // Another program's line is the last one by now, and it is there that the session opens.
      if (now.leafId !== (kept?.entryId ?? decision.entryId)) return { entryId: decision.entryId, version, session: now, ...kept };
      const again = planChange(now, { kind: 'append', lines: [{ ...sameAgain(decision), parentId: leafId }] }, stamp);
      const written = await appendText(now, version, serializeLines(again.lines), undefined, disk);
      const before = now;
      now = await followSession(now, { dialect: session.dialect });
      kept = { entryId: again.entryId, version: written.version, session: now };
      leafId = displacedLeaf(before, change, again, written);
    } catch (error) {
      if (!(error instanceof SessionError && error.code === 'changed')) throw leafNotPreservedError(session, error);
    }
  }
  if (leafId !== undefined) throw leafNotPreservedError(session);
  return kept;
}

/** The leaf of the other program's lines, when ours came right after them and hang off an older one. */
function displacedLeaf(session: Session, { kind }: Change, { lines }: ChangePlan, { interveningLines: overtaken }: AppendResult): string | undefined {
  if (overtaken === '' || (kind !== 'label' && kind !== 'rename')) return undefined;
  const { leafId } = withAppendedLines(session, overtaken);
  return leafId === null || leafId === lines[0]?.['parentId'] ? undefined : leafId;
}

/** What a line says, without its own id and time: those are new. */
function sameAgain({ lines }: ChangePlan): NewLine {
  return { ...lines.at(-1), id: undefined, timestamp: undefined } as unknown as NewLine;
}

export const serializeLines = (lines: readonly JsonObject[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

function leafNotPreservedError({ path }: Session, cause?: unknown): SessionError {
  return new SessionError(
    'damaged',
    'The change is in the file, but another program’s line came in right before it, so the session opens at an older place now. Go to its newest entry and branch there: {path}',
    { path },
    { cause },
  );
}
