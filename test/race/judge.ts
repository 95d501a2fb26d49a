/** Judges a race from what its processes said and what is in the files now. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { readSession } from '../../src/core/files/read/sessionFile';
import { BRANCH_MARK, pathTo } from '../../src/core/format/session/treeTraversal';

/** A process's announcement before an operation, and (`ended`) after it. */
export interface Said {
  readonly n: number;
  readonly does: 'label' | 'rename' | 'branch' | 'undo' | 'queue' | 'fork';
  /** The session's file name. */
  readonly file: string;
  /** Found in the line that it writes, and in no other. */
  readonly text: string;
  readonly force: boolean;
  readonly ended?: true;
  /** Entries that were reported as written. */
  readonly ids?: readonly string[];
  /** A new file that was reported as written. */
  readonly made?: string;
  readonly concurrent?: true;
  /** The refusal's code; `bug` for what is no refusal. */
  readonly refused?: string;
  readonly why?: string;
}

type Line = Readonly<Record<string, unknown>>;

/** Every line is one whole object, and the last one ends. */
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
        throw new Error(`${path}: line ${String(index + 1)} is no object: ${line.slice(0, 200)}`, { cause: error });
      }
    });
}

/** Of one session: `theirs` are the entries that its agent was told are written, in order; `said` what was done to it by ours. */
export async function judge(path: string, theirs: readonly string[], said: readonly Said[]): Promise<void> {
  const lines = await wholeLines(path);
  const read = await readSession(path);
  assert.deepEqual(read.problems, [], path);
  const counts = new Map<unknown, number>();
  for (const { id } of lines) counts.set(id, (counts.get(id) ?? 0) + 1);
  const own = said.flatMap(({ ids }) => ids ?? []);
  for (const id of [...theirs, ...own])
    assert.equal(counts.get(id), 1, `${path}: ${id} was told to be written, and is there ${String(counts.get(id) ?? 0)} times`);

  // The agent's own messages hang together, whatever was written between them.
  const chain = new Set(pathTo(read, theirs.at(-1) ?? null).map(({ id }) => id));
  assert.deepEqual(
    theirs.filter((id) => !chain.has(id)),
    [],
    `${path}: messages of the agent that hang off another branch`,
  );
  // The session opens there, or where a branch of ours (or its undoing) was put after it.
  const at = lines.findIndex(({ id }) => id === theirs.at(-1));
  const branched = lines.slice(at + 1).some(({ type, customType }) => type === 'branch_summary' || customType === BRANCH_MARK);
  if (theirs.length > 0 && !branched)
    assert.ok(
      pathTo(read, read.leafId).some(({ id }) => id === theirs.at(-1)),
      `${path}: opens at an older place`,
    );

  const ended = said.filter((one) => one.ended);
  for (const { does, text, refused, why, ids } of ended) {
    const where = lines.flatMap((line, index) =>
      line['label'] === text || line['name'] === text || line['title'] === text || line['summary'] === text ? [index] : [],
    );
    if (refused !== undefined && refused !== 'damaged' && does !== 'queue')
      assert.deepEqual(where, [], `${path}: ${text} was refused (${why ?? refused}), and is there`);
    if ((does === 'label' || does === 'rename') && ids) {
      // Its line hangs off the leaf, or the line of an agent that it overtook brings the session back at once.
      const index = lines.findIndex(({ id }) => id === ids[0]);
      const [line, next] = [lines[index], lines[index + 1]];
      assert.ok(
        line?.['parentId'] === lines[index - 1]?.['id'] ||
          line?.['parentId'] === leafBefore(lines, index) ||
          (next !== undefined && !isOurs(next)),
        `${path}: ${text} moved the session`,
      );
      assert.ok(where.includes(index), `${path}: ${text} says something else`);
    }
  }
}

/** The last entry before a line: the header and a title slot are none. */
const leafBefore = (lines: readonly Line[], index: number): unknown =>
  lines.slice(0, index).findLast(({ parentId }) => parentId !== undefined)?.['id'] ?? null;

const isOurs = ({ type, customType }: Line): boolean =>
  type === 'label' || type === 'session_info' || type === 'branch_summary' || customType === BRANCH_MARK;
