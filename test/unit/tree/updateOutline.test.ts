import assert from 'node:assert/strict';
import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { FILTERS, followSession, readSession, type Session } from '../../../src/core/index';
import { locateInOutline, type Outline } from '../../../src/tree/rows/outline';
import { updateOutline } from '../../../src/tree/rows/updateOutline';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { levelOf, outlineOf } from './renderRows';

describe('updateOutline', () => {
  const folder = testFolder();
  const path = (): string => join(folder.path, 'a.jsonl');

  async function begun(lines: SessionBuilder): Promise<Session> {
    writeFileSync(path(), lines.text());
    return readSession(path());
  }

  /** Appends the builder's new lines to the file, and reads it. */
  async function grown(before: Session, lines: SessionBuilder): Promise<Session> {
    appendFileSync(path(), lines.text().slice(before.size));
    return followSession(before);
  }

  it('adds appended entries to the earlier rows', async () => {
    const lines = session().user('a').assistant('b').user('left').branchFrom(entryId(2)).user('c').assistant('d');
    const first = await begun(lines);
    const before = outlineOf(first, 'default');
    const elements = [...before.elements];
    const after = updateOutline(before, await grown(first, lines.user('e').tool('read', { path: 'x' })))!;
    const rows = levelOf(after);
    assert.deepEqual(
      rows.map((row) => row.head.text),
      ['user: a', 'assistant: b', 'user: left', 'user: c', 'assistant: d', 'user: e', '[read: x]'],
    );
    assert.deepEqual(
      rows.map((row) => row.kind === 'entry' && row.isLeaf),
      [false, false, false, false, false, false, true],
    );
    for (const [at, element] of elements.entries()) assert.equal(after.elements[at], element);
    assert.deepEqual(before.elements, elements);
  });

  const others: Readonly<Record<string, (lines: SessionBuilder) => SessionBuilder>> = {
    'continues elsewhere': (lines) => lines.branchFrom(entryId(1)).user('c'),
    'has a new root': (lines) => lines.branchFrom(null).user('c'),
    'has a new branch besides its continuation': (lines) =>
      lines.user('c').branchFrom(entryId(1)).user('d').branchFrom(entryId(3)).user('e'),
    'has another label': (lines) => lines.label(entryId(1), 'one'),
    'has archived entries': (lines) => lines.entry('archive', { targetId: entryId(1), archived: true }),
  };
  for (const [what, more] of Object.entries(others)) {
    it(`is rebuilt when the session ${what}`, async () => {
      const lines = session().user('a').assistant('b');
      const first = await begun(lines);
      assert.equal(updateOutline(outlineOf(first, 'default'), await grown(first, more(lines))), undefined);
    });
  }

  it('is rebuilt when the file was read again from its start', async () => {
    const lines = session().user('a').assistant('b');
    const before = outlineOf(await begun(lines), 'default');
    assert.equal(updateOutline(before, await begun(lines.user('c'))), undefined);
  });

  it('equals a rebuilt outline after any change', async () => {
    let kept = 0;
    const step = fc.record({
      what: fc.constantFrom('user', 'user', 'assistant', 'assistant', 'tool', 'silent', 'thinking', 'from', 'from', 'label', 'leaf'),
      at: fc.nat(),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(step, { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 10 }),
        fc.constantFrom(...FILTERS),
        async (growths, filter) => {
          const lines = session();
          let count = 0;
          let now: Session | undefined;
          let outline: Outline | undefined;
          for (const steps of growths) {
            for (const what of steps) count += add(lines, what, count);
            const session: Session = now ? await grown(now, lines) : await begun(lines);
            const anew = outlineOf(session, filter);
            const after = outline && updateOutline(outline, session);
            if (after) {
              kept++;
              assertSame(after, anew);
            }
            [now, outline] = [session, after ?? anew];
          }
        },
      ),
      { numRuns: 300 },
    );
    assert.ok(kept > 200, `${kept}`);
  });
});

function assertSame(one: Outline, other: Outline): void {
  const branches: (string | undefined)[] = [undefined];
  for (const startId of branches) {
    const rows = levelOf(one, startId);
    assert.deepEqual(rows, levelOf(other, startId));
    branches.push(...rows.flatMap((row) => (row.kind === 'branch' ? [row.startId] : [])));
  }
  for (const id of one.session.byId.keys()) assert.deepEqual(locateInOutline(one, id), locateInOutline(other, id));
}

/** @returns the number of added entries */
function add(lines: SessionBuilder, { what, at }: { what: string; at: number }, count: number): number {
  const target = count === 0 ? undefined : entryId(1 + (at % count));
  if (what === 'user') lines.user(`user ${at}`);
  else if (what === 'assistant') lines.assistant(`assistant ${at}`);
  else if (what === 'silent') lines.assistant([{ type: 'toolCall', id: `c${at}`, name: 'read', arguments: {} }]);
  else if (what === 'thinking') lines.thinking('high');
  else if (what === 'label' && target !== undefined) lines.label(target, `label ${at}`);
  else if (what === 'leaf' && target !== undefined) lines.leaf(target);
  else if (what === 'tool') lines.tool('read', { path: `${at}` });
  else lines.branchFrom(at % 7 === 0 || target === undefined ? null : target);
  return lines.lines().length - 1 - count;
}
