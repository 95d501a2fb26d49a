import assert from 'node:assert/strict';
import { planChange, writeRefusal, type Change } from '../../../src/core/format/write/change';
import type { Dialect } from '../../../src/core/format/entry/dialect';
import { isTitleSlotLine, titleSlotLine } from '../../../src/core/format/write/sessionNames';
import { SessionError } from '../../../src/core/format/entry/problem';
import type { Session } from '../../../src/core/format/session/session';
import { entryId, session } from '../../fixtures/build';
import { read } from '../../fixtures/read';
import { countingStamp } from '../../fixtures/writes';

const AT = '2026-03-04T05:06:07.890Z';
const slot = titleSlotLine({ title: 'old', source: 'auto', updatedAt: AT }).trimEnd();

/** Two turns, and a branch from the first answer. The leaf is the answer on the branch. */
const tree = () =>
  session().user('one').assistant('first').user('two').assistant('second').branchFrom(entryId(2)).user('other').assistant('third');

const lines = (of: Session, change: Change) => planChange(of, change, countingStamp()).lines;
const code = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof SessionError);
    return error.code;
  }
  return 'none';
};

describe('planChange for labels and names', () => {
  it('appends a label after the leaf and names its target', () => {
    const of = read(tree().text());
    assert.deepEqual(lines(of, { kind: 'label', entryId: entryId(3), label: ' a\nmark ' }), [
      { type: 'label', id: 'f0000001', parentId: entryId(6), timestamp: AT, targetId: entryId(3), label: 'a mark' },
    ]);
  });

  it('clears a label with a line without one', () => {
    const [line] = lines(read(tree().text()), { kind: 'label', entryId: entryId(1), label: '' });
    assert.deepEqual(Object.keys(line!), ['type', 'id', 'parentId', 'timestamp', 'targetId']);
  });

  it('names a session of pi, jensen and gsd with a session_info', () => {
    for (const dialect of ['pi', 'jensen', 'gsd'] as const) {
      assert.deepEqual(lines(read(tree().text(), { rootDialect: dialect }), { kind: 'rename', name: 'New' }), [
        { type: 'session_info', id: 'f0000001', parentId: entryId(6), timestamp: AT, name: 'New' },
      ]);
    }
  });

  it('clears a name, except in gsd, which keeps the last one', () => {
    assert.equal(lines(read(tree().text()), { kind: 'rename', name: '' })[0]!['name'], '');
    assert.equal(
      code(() => lines(read(tree().text(), { rootDialect: 'gsd' }), { kind: 'rename', name: ' ' })),
      'invalid',
    );
  });

  it('names a session of oh-my-pi in its slot and with a title_change line', () => {
    const of = read(`${slot}\n${tree().text()}`);
    const decision = planChange(of, { kind: 'rename', name: 'New' }, countingStamp());
    assert.deepEqual(decision.titleSlot, { title: 'New', source: 'user', updatedAt: AT });
    assert.deepEqual(decision.lines, [
      { type: 'title_change', id: 'f0000001', parentId: entryId(6), timestamp: AT, title: 'New', source: 'user', previousTitle: 'old' },
    ]);
  });

  it('refuses to name a session of oh-my-pi without a title slot', () => {
    assert.equal(
      code(() => lines(read(tree().text(), { rootDialect: 'omp' }), { kind: 'rename', name: 'x' })),
      'invalid',
    );
    assert.equal(
      code(() => lines(read(`${slot.replace('","pad', '","pad')} \n${tree().text()}`), { kind: 'rename', name: 'x' })),
      'invalid',
    );
  });
});

describe('planChange for branches', () => {
  it('continues at an answer with a marker line after it', () => {
    const [line] = lines(read(tree().text()), { kind: 'branch', entryId: entryId(2) });
    assert.deepEqual(line, {
      type: 'custom',
      id: 'f0000001',
      parentId: entryId(2),
      timestamp: AT,
      customType: 'pi-session-tree/branch',
      data: { from: entryId(6), at: entryId(2) },
    });
  });

  it('branches before prompts: user messages and custom messages', () => {
    assert.equal(lines(read(tree().text()), { kind: 'branch', entryId: entryId(3) })[0]!['parentId'], entryId(2));
    assert.equal(lines(read(tree().text()), { kind: 'branch', entryId: entryId(1) })[0]!['parentId'], null);
    const custom = session().user('a').customMessage('x', 'y').message({ role: 'custom', customType: 'x', content: 'z' });
    assert.equal(lines(read(custom.text()), { kind: 'branch', entryId: entryId(2) })[0]!['parentId'], entryId(1));
    assert.equal(lines(read(custom.text()), { kind: 'branch', entryId: entryId(3) })[0]!['parentId'], entryId(2));
  });

  it('makes a root of a branch before a message whose parent is missing', () => {
    const of = read(session().branchFrom('nowhere').user('lost').text());
    assert.equal(lines(of, { kind: 'branch', entryId: entryId(1) })[0]!['parentId'], null);
  });

  it('records a summary: from the previous leaf in pi, from the branch point elsewhere', () => {
    const change: Change = { kind: 'branch', entryId: entryId(2), summary: 'what was tried' };
    assert.deepEqual(lines(read(tree().text()), change), [
      { type: 'branch_summary', id: 'f0000001', parentId: entryId(2), timestamp: AT, fromId: entryId(6), summary: 'what was tried' },
    ]);
    assert.equal(lines(read(tree().text(), { rootDialect: 'omp' }), change)[0]!['fromId'], entryId(2));
    assert.equal(lines(read(tree().text(), { rootDialect: 'omp' }), { ...change, entryId: entryId(1) })[0]!['fromId'], 'root');
  });

  it('refuses to attach anything to a damaged line, which programs skip', () => {
    const [header, one, two, three] = session().user('a').assistant('b').user('c').lines() as [string, string, string, string];
    const found = read([header, one, two.slice(0, -9), three, ''].join('\n'));
    const refused = { code: 'invalid', message: /Line 3 is damaged/ };
    assert.throws(() => planChange(found, { kind: 'branch', entryId: entryId(2) }, countingStamp()), refused);
    assert.throws(() => planChange(found, { kind: 'branch', entryId: entryId(3) }, countingStamp()), refused, 'before the question');
    assert.throws(() => planChange(found, { kind: 'label', entryId: entryId(2), label: 'x' }, countingStamp()), refused);
    assert.equal(planChange(found, { kind: 'label', entryId: entryId(3), label: 'x' }, countingStamp()).lines[0]!['parentId'], entryId(3));
  });

  it('refuses unknown entries', () => {
    const of = read(tree().text());
    assert.equal(
      code(() => lines(of, { kind: 'branch', entryId: '__proto__' })),
      'unknown-entry',
    );
    assert.equal(
      code(() => lines(of, { kind: 'label', entryId: 'nope', label: 'x' })),
      'unknown-entry',
    );
  });
});

describe('planChange for lines to append', () => {
  it('chains several lines and keeps given members', () => {
    const of = read(tree().text());
    const done = planChange(
      of,
      { kind: 'append', lines: [{ type: 'custom', id: 'mine', parentId: entryId(1) }, { type: 'custom' }] },
      countingStamp(),
    );
    assert.deepEqual(
      done.lines.map((line) => [line['id'], line['parentId']]),
      [
        ['mine', entryId(1)],
        ['f0000001', 'mine'],
      ],
    );
    assert.equal(done.entryId, 'f0000001');
  });

  it('refuses a used id, an unknown parent, and an empty list', () => {
    const of = read(tree().text());
    assert.equal(
      code(() => lines(of, { kind: 'append', lines: [{ type: 'custom', id: entryId(1) }] })),
      'invalid',
    );
    assert.equal(
      code(() =>
        lines(of, {
          kind: 'append',
          lines: [
            { type: 'custom', id: 'a' },
            { type: 'custom', id: 'a' },
          ],
        }),
      ),
      'invalid',
    );
    assert.equal(
      code(() => lines(of, { kind: 'append', lines: [{ type: 'custom', parentId: 'x' }] })),
      'unknown-entry',
    );
    assert.equal(
      code(() => lines(of, { kind: 'append', lines: [] })),
      'invalid',
    );
    const moved = read(session().user('one').leaf(entryId(1), { id: 'mark' }).text());
    assert.equal(
      code(() => lines(moved, { kind: 'append', lines: [{ type: 'custom', id: 'mark' }] })),
      'invalid',
    );
  });

  it('never assigns an id that is in the file', () => {
    const of = read(session().user('a', { id: 'f0000001' }).text());
    assert.equal(lines(of, { kind: 'append', lines: [{ type: 'custom' }] })[0]!['id'], 'f0000002');
  });
});

describe('writeRefusal', () => {
  const refusal = (text: string, rootDialect: Dialect = 'pi') => writeRefusal(read(text, { rootDialect }))?.code ?? 'none';

  it('allows a session of version 3', () => {
    assert.equal(refusal(tree().text()), 'none');
    assert.equal(refusal(session().text()), 'none');
    assert.equal(refusal(`${tree().text()}\n\n`), 'none');
  });

  it('refuses other versions, OpenClaw, and entries without ids, and suggests a way forward', () => {
    assert.equal(refusal(session({ version: 4 }).user('a').text()), 'version');
    assert.match(writeRefusal(read(session({ version: 2 }).user('a').text()))!.message, /Migrate it first, or fork instead/);
    assert.equal(refusal(session({ version: undefined }).user('a').text()), 'version');
    assert.equal(refusal(session().user('a', { id: undefined }).text()), 'version');
    assert.equal(refusal(tree().text(), 'openclaw'), 'read-only');
  });

  it('refuses a last line that is torn, bad, glued or without a line break, but accepts such a line further up', () => {
    const text = tree().text();
    assert.equal(refusal(`${text}{"type":"mess`), 'torn');
    assert.equal(refusal(text.trimEnd()), 'torn');
    assert.equal(refusal(`${text}{"type":\n`), 'torn');
    assert.equal(refusal(`${text}{"type":"custom","id":"a"}{"type":"custom","id":"b"}\n`), 'torn');
    assert.equal(refusal(`${text}{"type":\n${JSON.stringify({ type: 'custom', id: 'a', parentId: null })}\n`), 'none');
  });
});

describe('The title slot', () => {
  const bytes = (title: string) => Buffer.byteLength(titleSlotLine({ title, source: 'user', updatedAt: AT }));

  it('is 256 bytes for any title', () => {
    for (const title of ['', 'short', 'x'.repeat(1000), '日本語'.repeat(100), '🚀'.repeat(100), '"\\\n'.repeat(100), '\ud800'.repeat(60)])
      assert.equal(bytes(title), 256, title.slice(0, 9));
  });

  it('cuts a title between characters', () => {
    const { title } = JSON.parse(titleSlotLine({ title: '🚀'.repeat(100), updatedAt: AT })) as { title: string };
    assert.match(title, /^(🚀)+$/u);
  });

  it('is recognized by its form', () => {
    const line = titleSlotLine({ title: 'a', updatedAt: AT });
    assert.ok(isTitleSlotLine(line));
    for (const other of [
      line.trimEnd(),
      `${line} `,
      line.replace('"v":1', '"v":2'),
      line.replace('"title":"a"', '"title":3  '),
      'x'.repeat(255) + '\n',
    ])
      assert.ok(!isTitleSlotLine(other), other);
  });
});
