/** Judges a race by the logs of its processes and the files at its end. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { readSession } from '../../src/core/files/read/sessionFile';
import { BRANCH_MARK, pathTo } from '../../src/core/format/session/treeTraversal';

/** A log record that a process writes before an operation, and again (with `ended`) after it. */
export interface OperationRecord {
  readonly n: number;
  readonly operation: 'label' | 'rename' | 'branch' | 'undo' | 'queue' | 'fork';
  /** Name of the session's file. */
  readonly file: string;
  /** A text that the written line has, and no other line. */
  readonly text: string;
  readonly force: boolean;
  readonly ended?: true;
  /** Ids of the entries that were reported as written. */
  readonly ids?: readonly string[];
  /** Path of the new file that was reported as written. */
  readonly made?: string;
  readonly concurrent?: true;
  /** Code of the refusal; `bug` for any other error. */
  readonly refused?: string;
  readonly why?: string;
}

export type Line = Readonly<Record<string, unknown>>;

/** Asserts that every line is one whole object, and that the last one has a line break. */
export async function wholeLines(path: string): Promise<Line[]> {
  const text = await readFile(path, 'utf8');
  assert.ok(text.endsWith('\n'), `${path}: the last line is cut off`);
  return text
    .slice(0, -1)
    .split('\n')
    .map((line, index) => {
      try {
        return JSON.parse(line) as Line;
      } catch (error) {
        throw new Error(`${path}: line ${String(index + 1)} isn't an object: ${line.slice(0, 200)}`, { cause: error });
      }
    });
}

/**
 * Judges one session.
 *
 * @param agentIds ids of the entries that its agent was told are written, in order
 * @param records the records of our processes' operations on it
 */
export async function judge(path: string, agentIds: readonly string[], records: readonly OperationRecord[]): Promise<void> {
  const lines = await wholeLines(path);
  const read = await readSession(path);
  assert.deepEqual(read.problems, [], path);
  const counts = new Map<unknown, number>();
  for (const { id } of lines) counts.set(id, (counts.get(id) ?? 0) + 1);
  const own = records.flatMap(({ ids }) => ids ?? []);
  for (const id of [...agentIds, ...own])
    assert.equal(counts.get(id), 1, `${path}: ${id} was reported as written, but occurs ${String(counts.get(id) ?? 0)} times`);

  // The agent's own messages form a chain, whatever was written between them.
  const chain = new Set(pathTo(read, agentIds.at(-1) ?? null).map(({ id }) => id));
  assert.deepEqual(
    agentIds.filter((id) => !chain.has(id)),
    [],
    `${path}: messages of the agent on another branch`,
  );
  // The session opens at the agent's last message, or at a branch of ours (or its undoing) that follows it.
  const at = lines.findIndex(({ id }) => id === agentIds.at(-1));
  const branched = lines.slice(at + 1).some(({ type, customType }) => type === 'branch_summary' || customType === BRANCH_MARK);
  if (agentIds.length > 0 && !branched)
    assert.ok(
      pathTo(read, read.leafId).some(({ id }) => id === agentIds.at(-1)),
      `${path}: opens at an older entry`,
    );

  const ended = records.filter((one) => one.ended);
  for (const { operation, text, refused, why, ids } of ended) {
    const lineIndexes = lines.flatMap((line, index) =>
      line['label'] === text || line['name'] === text || line['title'] === text || line['summary'] === text ? [index] : [],
    );
    if (refused !== undefined && refused !== 'damaged' && operation !== 'queue')
      assert.deepEqual(lineIndexes, [], `${path}: ${text} was refused (${why ?? refused}), but was written`);
    if ((operation === 'label' || operation === 'rename') && ids) {
      assert.ok(keepsLeaf(lines, ids[0]), `${path}: ${text} moved the leaf`);
      const index = lines.findIndex(({ id }) => id === ids[0]);
      assert.ok(lineIndexes.includes(index), `${path}: ${text} is in another line`);
    }
  }
}

/**
 * True if a label's or a name's line leaves the session where it was: its parent is the leaf before it, or an agent's
 * line follows, which takes the session to the agent's place. Copies of the same change directly before it don't count:
 * a line that was overtaken is repeated with the newest entry as its parent.
 */
export function keepsLeaf(lines: readonly Line[], id: unknown): boolean {
  const index = lines.findIndex((line) => line['id'] === id);
  const [line, next] = [lines[index], lines[index + 1]];
  if (!line) return false;
  let first = index;
  while (isCopy(lines[first - 1], line)) first--;
  const { parentId } = line;
  return parentId === lines[first - 1]?.['id'] || parentId === leafBefore(lines, first) || (next !== undefined && !isOurs(next));
}

/** True if a line is the same label or name; ids, parents and times differ. */
const isCopy = (line: Line | undefined, other: Line): boolean =>
  line !== undefined && ['type', 'targetId', 'label', 'name'].every((key) => line[key] === other[key]);

/** The id of the last entry before a line. The header and a title slot aren't entries. */
const leafBefore = (lines: readonly Line[], index: number): unknown =>
  lines.slice(0, index).findLast(({ parentId }) => parentId !== undefined)?.['id'] ?? null;

const isOurs = ({ type, customType }: Line): boolean =>
  type === 'label' || type === 'session_info' || type === 'branch_summary' || customType === BRANCH_MARK;
