/**
 * Keeps the leaf where it is after a label or a rename (FORMAT section 6, rule 3). The line of such a change has the
 * leaf as its parent. If another program's line is written between planning and writing, that parent is an older leaf.
 * Since the programs open a session at its last line, the change would then move the session back. No lock is held by
 * all programs, so this can't be prevented, and nothing is ever shortened. Instead the same line is written once more
 * with the newest entry as its parent: it has the same content, and the session opens where the other program left it.
 */
import { planChange, type Change, type ChangePlan, type NewLine } from '../../format/write/change';
import type { JsonObject } from '../../format/values/jsonValues';
import type { Stamp } from '../../format/write/sessionNames';
import { SessionError } from '../../format/entry/problem';
import type { Session } from '../../format/session/session';
import { appendText, type AppendResult } from './appendText';
import type { Disk } from '../io/disk';
import { followSession, withAppendedLines, type FileVersion } from '../read/sessionFile';
import { readFileVersion } from '../read/versions/compareVersions';

interface AppliedChange {
  /** The session that the change was planned for. */
  readonly session: Session;
  readonly change: Change;
  readonly decision: ChangePlan;
  readonly done: AppendResult;
  /** The session including the change's lines. */
  readonly after: Session;
}

interface PreservedLeaf {
  readonly entryId: string;
  readonly version: FileVersion;
  readonly session: Session;
}

/** Number of repetitions, each of which may be overtaken again. */
const ATTEMPTS = 10;

/**
 * Repeats the line of a label or a rename if it moved the leaf.
 *
 * @returns `undefined` if it didn't.
 * @throws {SessionError} `damaged` if the leaf couldn't be restored.
 */
export async function preserveLeaf(
  { session, change, decision, done, after }: AppliedChange,
  { stamp, disk }: { readonly stamp: Stamp; readonly disk: Disk },
): Promise<PreservedLeaf | undefined> {
  let leafId = displacedLeaf(session, change, decision, done);
  let now = after;
  let kept: PreservedLeaf | undefined;
  for (let left = ATTEMPTS; leafId !== undefined && left > 0; left--) {
    try {
      const version = await readFileVersion(session.path);
      now = await followSession(now, { dialect: session.dialect });
      // Another program's line is now the last one, so the session opens there.
      if (!opensAt(now, kept?.entryId ?? decision.entryId)) return { entryId: decision.entryId, version, session: now, ...kept };
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

/**
 * Returns the leaf of the other program's lines if the change's lines directly follow them but have an older parent.
 */
function displacedLeaf(
  session: Session,
  { kind }: Change,
  { lines }: ChangePlan,
  { interveningLines: overtaken }: AppendResult,
): string | undefined {
  if (overtaken === '' || (kind !== 'label' && kind !== 'rename')) return undefined;
  const { leafId } = withAppendedLines(session, overtaken);
  return leafId === null || leafId === lines[0]?.['parentId'] ? undefined : leafId;
}

/**
 * True if the session opens at an entry, or only labels and names hang between that entry and the leaf. Another window
 * of this extension may add one of these right after our line; it would keep the session on the older branch.
 */
function opensAt({ byId, leafId }: Session, entryId: string): boolean {
  // A session that was read has no circle of parents.
  for (let id = leafId; id !== null;) {
    if (id === entryId) return true;
    const head = byId.get(id);
    if (!head || !NAMING_TYPES.has(head.type)) return false;
    id = head.parentId;
  }
  return false;
}

/** Types that name something, and continue nothing. */
const NAMING_TYPES: ReadonlySet<string> = new Set(['label', 'session_info', 'title_change']);

/** The content of a line, without its id and time. */
function sameAgain({ lines }: ChangePlan): NewLine {
  // A plan has lines, and JSON leaves out what is undefined.
  return { ...lines.at(-1), id: undefined, timestamp: undefined } as unknown as NewLine;
}

export const serializeLines = (lines: readonly JsonObject[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');

function leafNotPreservedError({ path }: Session, cause?: unknown): SessionError {
  return new SessionError(
    'damaged',
    'The change was saved, but another program wrote right before it, so the session resumes on an older branch now. Go to its newest entry and branch there: {path}',
    { path },
    { cause },
  );
}
