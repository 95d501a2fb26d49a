import assert from 'node:assert/strict';
import { SessionError } from '../../../src/core/format/entry/problem';
import { titleSlot } from '../../../src/core/format/session/fileState';
import { pathTo } from '../../../src/core/format/session/treeTraversal';
import { entryId, session, type Given } from '../../fixtures/build';
import { problems, read } from '../../fixtures/read';

const ids = (heads: readonly { id: string }[]): string[] => heads.map((head) => head.id);
const [e1, e2, e3, e4] = [1, 2, 3, 4].map(entryId) as [string, string, string, string];

/** Returns the header and two messages, as lines. */
const three = (): string[] => session().user('one').assistant('two').lines();
const text = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join('');

describe('Reading a session', function () {
  this.timeout(60_000);

  it('links entries into a tree', () => {
    const found = read(session().user('a').assistant('b').branchFrom(e1).assistant('c'));
    assert.deepEqual(ids(found.entries), [e1, e2, e3]);
    assert.deepEqual(found.roots, [e1]);
    assert.deepEqual(found.children.get(e1), [e2, e3]);
    assert.equal(found.leafId, e3);
    assert.equal(found.version, 3);
    assert.equal(found.hasGivenIds, false);
    assert.deepEqual(found.problems, []);
  });

  it('sorts children by time, oldest first, and keeps the order of the file among equals', () => {
    const at = (id: string, timestamp: string): [string, Given] => [id, { id, timestamp }];
    const built = session().user('root');
    for (const [id, given] of [
      at('late', '2026-01-03T00:00:00Z'),
      at('same1', '2026-01-02T00:00:00Z'),
      at('same2', '2026-01-02T00:00:00Z'),
    ]) {
      built.branchFrom(e1).user(id, given);
    }
    assert.deepEqual(read(built).children.get(e1), ['same1', 'same2', 'late']);
  });

  it('accepts several roots, in file order', () => {
    assert.deepEqual(read(session().user('a').branchFrom(null).user('b')).roots, [e1, e2]);
  });

  it('accepts a child before its parent', () => {
    const found = read(session().user('child', { parentId: 'later' }).user('parent', { id: 'later', parentId: null }));
    assert.deepEqual(found.roots, ['later']);
    assert.deepEqual(found.children.get('later'), [e1]);
    assert.deepEqual(found.problems, []);
  });

  it('makes a root of an entry whose parent is missing, and reports it', () => {
    const found = read(session().user('a').user('lost', { parentId: 'nowhere' }));
    assert.deepEqual(found.roots, [e1, e2]);
    assert.deepEqual(problems(found), ['unknown-parent@3']);
    assert.equal(found.byId.get(e2)?.parentId, 'nowhere');
  });

  it('terminates for an entry that is its own parent', () => {
    const found = read(session().user('self', { parentId: e1 }).assistant('below'));
    assert.deepEqual([found.roots, found.children.get(e1), problems(found)], [[e1], [e2], ['cycle@2']]);
  });

  it('terminates for a cycle, and has each of its entries once', () => {
    const found = read(session().user('a', { parentId: e3 }).user('b').user('c').user('tail'));
    assert.deepEqual([found.roots, problems(found)], [[e1], ['cycle@2']]);
    assert.deepEqual(ids(found.entries), [e1, e2, e3, e4]);
    assert.deepEqual([found.children.get(e1), found.children.get(e2), found.children.get(e3)], [[e2], [e3], [e4]]);
  });

  it('breaks a cycle beside many roots', () => {
    const built = session({});
    for (let i = 0; i < 150_000; i++) built.branchFrom(null).entry('custom', { id: `root${String(i)}` });
    built.user('a', { id: 'x', parentId: 'y' }).user('b', { id: 'y', parentId: 'x' });
    assert.equal(read(built).roots.length, 150_001);
  });

  it('has one entry for a repeated id, with the data of the last line', () => {
    const found = read(session().user('first', { id: 'twin' }).user('between').user('last', { id: 'twin', parentId: null }));
    assert.deepEqual(ids(found.entries), [e2, 'twin']);
    assert.equal(found.byId.get('twin')?.text, 'user: last');
    assert.deepEqual(problems(found), ['duplicate-id@4']);
  });

  it('accepts any id', () => {
    const strange = ['__proto__', 'constructor', 'hasOwnProperty', '', ' ', 'ünï/\\"'];
    const built = session();
    for (const id of strange) if (id !== '') built.user(id, { id });
    built.label('__proto__', 'odd');
    const found = read(built);
    assert.equal(found.byId.get('__proto__')?.text, 'user: __proto__');
    assert.deepEqual(found.children.get('constructor'), ['hasOwnProperty']);
    assert.equal(found.labels.get('__proto__'), 'odd');
    assert.deepEqual(found.problems, []);
  });

  it('accepts a chain of 200,000 entries', () => {
    const built = session();
    for (let i = 0; i < 200_000; i++) built.entry('custom', { customType: 'x' });
    const found = read(built);
    assert.deepEqual([found.entries.length, found.roots, found.leafId], [200_000, [e1], entryId(200_000)]);
  });
});

describe('Irregular lines', () => {
  it('skips a bad line and reports its number', () => {
    const [header, one, two] = three() as [string, string, string];
    const found = read(text([header, one, '{"type":"message", broken', two]));
    assert.deepEqual([ids(found.entries), problems(found)], [[e1, e2], ['bad-line@3']]);
    for (const bad of ['[]', '{"v":4,"kind":"header"}', '"text"', '42', 'null', '{}', '{"type":7}', 'not json']) {
      assert.deepEqual(problems(read(text([header, bad, one, two]))), ['bad-line@2'], bad);
    }
  });

  it('reads several objects on one line, and reports it', () => {
    const [header, one, two] = three() as [string, string, string];
    const found = read(text([header, one + two]));
    assert.deepEqual([ids(found.entries), problems(found)], [[e1, e2], ['glued-line@2']]);
    const half = read(text([header, `${one}${two.slice(0, 20)}`]));
    assert.deepEqual([ids(half.entries), problems(half)], [[e1], ['bad-line@2']]);
  });

  it('keeps the place of a broken line whose id and parent are legible', () => {
    const [header, one, two, three_] = session().user('one').user('C:\\dir').assistant('three').lines() as [string, string, string, string];
    const broken = two.replace('\\\\', '\\');
    assert.throws(() => JSON.parse(broken) as unknown);
    const found = read(text([header, one, broken, three_]));
    assert.deepEqual([ids(pathTo(found, e3)), found.roots, problems(found)], [[e1, e2, e3], [e1], ['damaged-line@3']]);
    assert.equal(found.byId.get(e2)?.text, '[damaged line]');
    assert.equal(read(text([header, one, broken])).leafId, e1, 'programs skip it, so it is never the leaf');
    assert.deepEqual(problems(read(text([header, one]) + broken)), ['torn-line@3']);
    // A line that can be read stands before it, wherever it is.
    for (const lines of [
      [header, one, broken, two],
      [header, one, two, broken],
    ])
      assert.deepEqual(read(text(lines)).byId.get(e2)?.text, 'user: C:\\dir');
  });

  it('gives no place in a chain to a broken line', () => {
    const [header, one] = session({ version: 1 }).user('one', { id: undefined, parentId: undefined }).lines() as [string, string];
    const found = read(text([header, one, '{"type":"message","id":"x","parentId":null,', one]));
    assert.deepEqual([ids(found.entries), problems(found)], [['00000001', '00000002'], ['bad-line@3']]);
  });

  it('reads a whole line that is glued behind a torn one', () => {
    const [header, one, two, three_] = session().user('one').user('two').assistant('three').lines() as [string, string, string, string];
    const found = read(text([header, one, two.slice(0, -12) + three_]));
    assert.deepEqual(
      [ids(pathTo(found, found.leafId)), problems(found)],
      [
        [e1, e2, e3],
        ['glued-line@3', 'damaged-line@3'],
      ],
    );
  });

  it('reads a whole line that is glued behind a torn one at the end of the file, also without a line break', () => {
    const [header, one, two, three_] = session().user('one').user('two').assistant('three').lines() as [string, string, string, string];
    for (let length = 1; length < two.length; length++) {
      const glued = text([header, one]) + two.slice(0, length) + three_;
      const found = read(glued);
      assert.deepEqual([found.entries, problems(found)], [read(`${glued}\n`).entries, problems(read(`${glued}\n`))], two.slice(0, length));
      assert.deepEqual([found.entries.at(-1)?.id, found.size], [e3, glued.length]);
      assert.ok(problems(found).length > 0);
      assert.deepEqual(problems(read(glued.slice(0, -1))), ['torn-line@3'], 'not whole yet');
    }
    const behind = read(`${text([header, one])}x"}}" ${two}`);
    assert.deepEqual([ids(behind.entries), problems(behind)], [[e1, e2], ['bad-line@3']]);
  });

  it('waits for the rest of a torn last line', () => {
    const [header, one, two] = three() as [string, string, string];
    const found = read(text([header, one]) + two.slice(0, 30));
    assert.deepEqual([ids(found.entries), problems(found)], [[e1], ['torn-line@3']]);
    assert.equal(found.size, Buffer.byteLength(text([header, one])));
  });

  it('accepts a whole last line without a line break', () => {
    const whole = text(three()).slice(0, -1);
    const found = read(whole);
    assert.deepEqual([ids(found.entries), found.problems, found.size], [[e1, e2], [], whole.length]);
  });

  it('skips lines before the header', () => {
    const found = read(text(['junk', '{"type":"message","id":"x"}', '{"type":"session"}', ...three()]));
    assert.deepEqual(
      [ids(found.entries), problems(found)],
      [
        [e1, e2],
        ['before-header@1', 'before-header@2', 'before-header@3'],
      ],
    );
  });

  it('keeps the first of several headers', () => {
    const [header, one, two] = three() as [string, string, string];
    const found = read(text([header, one, header.replace('/work/demo', '/elsewhere'), two]));
    assert.deepEqual([found.header.cwd, problems(found)], ['/work/demo', ['duplicate-header@3']]);
  });

  it('accepts CRLF, a byte order mark, NUL padding and blank lines', () => {
    const found = read(`\uFEFF${three().join('\r\n\r\n   \n')}\0\0\0\n\0\0\0`);
    assert.deepEqual([ids(found.entries), found.problems], [[e1, e2], []]);
  });

  it('treats null or missing content as an empty message', () => {
    const found = read(
      session().user(null).assistant(undefined).message({ role: 'toolResult' }).entry('message', { message: null }).entry('message'),
    );
    assert.deepEqual(
      found.entries.map((head) => [head.role, head.text]),
      [
        ['user', 'user: '],
        ['assistant', 'assistant: (no content)'],
        ['toolResult', '[tool]'],
        ['other', '[?]'],
        ['other', '[?]'],
      ],
    );
  });

  it('reads a version above 3 unchanged, and reports that it is never written to', () => {
    const found = read(session({ version: 4 }).user('a'));
    assert.deepEqual([found.version, ids(found.entries), problems(found)], [4, [e1], ['future-version@1']]);
  });

  for (const [what, content, sentence] of [
    ['an empty file', '', /empty/],
    ['blank lines alone', '\n\n', /no session header/],
    ['no header', '{"type":"message","id":"a"}\n', /no session header/],
    ['a header without an id', '{"type":"session","version":3}\n', /no session header/],
    ['an id that is not a string', '{"type":"session","id":7}\n', /no session header/],
    ['another format', '{"v":4,"kind":"header","type":"x"}\n', /format isn’t supported/],
    ['another format, without types', '{"v":4,"kind":"header"}\n', /format isn’t supported/],
    ['an event stream', '{"type":"event_msg","payload":{}}\n', /format isn’t supported/],
  ] as const) {
    it(`refuses ${what}, with the reason`, () => {
      assert.throws(
        () => read(content),
        (error) => error instanceof SessionError && error.code === 'not-a-session' && sentence.test(error.message),
      );
    });
  }
});

describe('Entries without ids', () => {
  it('form a chain, with ids from their index (version 1)', () => {
    const line = (given: Given): Given => ({ id: undefined, parentId: undefined, ...given });
    const built = session({ version: undefined })
      .user('a', line({}))
      .assistant('b', line({}))
      .entry('compaction', line({ firstKeptEntryIndex: 2, summary: 's', tokensBefore: 1 }));
    const found = read(built);
    assert.deepEqual([found.version, found.hasGivenIds, found.problems], [1, true, []]);
    assert.deepEqual(
      found.entries.map(({ id, parentId }) => [id, parentId]),
      [
        ['00000001', null],
        ['00000002', '00000001'],
        ['00000003', '00000002'],
      ],
    );
    assert.equal(found.entries[2]?.firstKeptEntryId, '00000002');
    assert.deepEqual(read(built).entries, found.entries);
  });

  it('are numbered by parsed objects, so that a bad line changes no id', () => {
    const [header, ...lines] = session({ version: undefined }).user('a').user('b').lines() as [string, string, string];
    assert.deepEqual(ids(read(text([header, 'bad', ...lines])).entries), ['00000001', '00000002']);
  });

  it('keep nothing if the first kept one is the header', () => {
    assert.equal(read(session({ version: 1 }).entry('compaction', { firstKeptEntryIndex: 0 })).entries[0]?.firstKeptEntryId, undefined);
  });

  it('are reported in a file of version 3', () => {
    const found = read(session().user('a', { id: undefined, parentId: undefined }).user('b', { id: undefined, parentId: undefined }));
    assert.deepEqual([found.hasGivenIds, found.roots, problems(found)], [true, ['00000001'], ['no-id@2', 'no-id@3']]);
    assert.equal(found.leafId, '00000002');
  });
});

describe('Name, labels and leaf', () => {
  it('takes the last name, and clears it if that is empty', () => {
    assert.equal(read(session().name('one').name(' two ')).name, 'two');
    assert.equal(read(session().name('one').name('')).name, undefined);
    assert.equal(read(session().name('one').name(''), { rootDialect: 'gsd' }).name, 'one');
  });

  it('takes the name of oh-my-pi from the slot, otherwise from the header', () => {
    const slot = (title: string): string => {
      const line = JSON.stringify({ type: 'title', v: 1, title, updatedAt: 'x', pad: '' });
      return `${line.slice(0, -2)}${' '.repeat(255 - Buffer.byteLength(line))}"}`;
    };
    const rest = text(session({ title: 'header' }).name('not this').lines());
    assert.equal(read(`${slot('slot')}\n${rest}`).name, 'slot');
    assert.equal(titleSlot(read(`${slot('slot')}\n${rest}`))?.isExact, true);
    assert.equal(read(`${slot('')}\n${rest}`).name, undefined);
    assert.equal(read(rest).name, 'header');
    assert.equal(read(rest).dialect, 'omp');
  });

  it('takes the last label of an entry from any branch', () => {
    const built = session().user('a').user('b').label(e1, 'first').label(e2, 'other').branchFrom(e1).label(e1, 'second').label(e2, '');
    assert.deepEqual([...read(built).labels], [[e1, 'second']]);
  });

  it('makes the last entry of any type the leaf', () => {
    assert.equal(read(session().user('a').label(e1, 'x')).leafId, e2);
  });

  it('moves the leaf by leaf lines, which make no entries', () => {
    const built = session().user('a').assistant('b').leaf(e1, { id: 'mark' });
    assert.deepEqual([read(built).leafId, ids(read(built).entries)], [e1, [e1, e2]]);
    assert.equal(read(session().user('a').leaf(null)).leafId, null);
    assert.equal(read(session().user('a').leaf('nowhere')).leafId, e1);
    const on = read(built.user('c'));
    assert.deepEqual([on.leafId, on.byId.get(e4)?.parentId], [e4, e1]);
  });

  it('ignores a leaf line whose target or mode is missing or unknown', () => {
    assert.equal(read(session().user('a').assistant('b').entry('leaf', {})).leafId, e2);
    assert.equal(read(session().user('a').assistant('b').entry('leaf', { targetId: 7 })).leafId, e2);
    assert.equal(read(session().user('a').assistant('b').leaf(e1, { appendMode: 'other' })).leafId, e2);
    const below = read(session().user('a').assistant('b').entry('leaf', {}).user('c'));
    assert.deepEqual([below.byId.get(e4)?.parentId, below.problems], [e2, []]);
  });

  it('follows a leaf line that targets another one', () => {
    const built = read(session().user('a').assistant('b').leaf(e1, { id: 'first' }).leaf('first', { id: 'second' }).user('c'));
    assert.equal(built.byId.get(built.leafId ?? '')?.parentId, e1);
    assert.equal(read(session().user('a').assistant('b').leaf(e1, { id: 'first' }).user('x').leaf('first')).leafId, e1);
  });

  it('never makes a side entry the leaf', () => {
    assert.equal(read(session().user('a').entry('custom', { appendMode: 'side' })).leafId, e1);
  });
});

describe('The program that wrote a file', () => {
  it('is detected by its lines before its folder', () => {
    assert.equal(read(session().user('a')).dialect, 'pi');
    assert.equal(read(session().user('a'), { rootDialect: 'gsd' }).dialect, 'gsd');
    assert.equal(read(session().entry('model_change', { model: 'a/b' }), { rootDialect: 'gsd' }).dialect, 'omp');
    assert.equal(read(session().user('a', { payloadSha256: 'x' })).dialect, 'jensen');
    assert.equal(read(session().leaf(null, { appendMode: 'side' })).dialect, 'openclaw');
    assert.equal(read(session().user('a', { __openclaw: {} })).dialect, 'openclaw');
    for (const customType of ['openclaw:bootstrap-context', 'openclaw.cache-ttl', 'model-snapshot'])
      assert.equal(read(session().custom(customType)).dialect, 'openclaw', customType);
    assert.equal(read(session().customMessage('openclaw.runtime-context', 'x')).dialect, 'openclaw');
    assert.equal(read(session().custom('my-openclaw')).dialect, 'pi');
    const fork = read(session().entry('service_tier_change', { serviceTier: 'priority' }).name('as in pi'));
    assert.deepEqual([fork.dialect, fork.name], ['pi', 'as in pi']);
    const both = session().entry('mode_change', { mode: 'plan' }).custom('model-snapshot').entry('mode_change', { mode: 'x' });
    assert.equal(read(both).dialect, 'openclaw', 'files that are only read stay so');
  });
});
