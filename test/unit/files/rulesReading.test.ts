// Rules of incremental reading (FORMAT section 3) that are easily broken when a file grows.
import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import type { Session } from '../../../src/core/format/session/session';
import { followSession, readBodies, readSession } from '../../../src/core/files/read/sessionFile';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { problems } from '../../fixtures/read';

const [e1, e2, e3] = [1, 2, 3].map(entryId) as [string, string, string];

describe('Reading: places of objects', () => {
  const folder = testFolder();

  it('finds objects on one line, whatever is between them', async () => {
    const [header, one, two, three] = session().user('ä').user('b').user('c').lines() as [string, string, string, string];
    const found = await readSession(await folder.write('a.jsonl', `${header}\n ä${one} ,ö ${two}${three}\n`));
    assert.deepEqual(
      await readBodies(found, [e3, e2, e1]),
      [three, two, one].map((line) => JSON.parse(line) as unknown),
    );
  });
});

describe('Reading: damaged lines', () => {
  const folder = testFolder();

  it('gives the bodies of a damaged entry and of a whole one glued behind it', async () => {
    const [header, one, two, three] = session().user('a').user('ä').user('c').lines() as [string, string, string, string];
    const torn = Buffer.from(two).subarray(0, Buffer.from(two).indexOf('ä') + 1);
    const found = await readSession(
      await folder.write('a.jsonl', Buffer.concat([Buffer.from(`${header}\n${one}\n`), torn, Buffer.from(`${three}\n`)])),
    );
    const [damaged, whole] = await readBodies(found, [e2, e3]);
    assert.deepEqual([damaged?.type, damaged?.id, damaged?.parentId, whole], ['damaged', e2, e1, JSON.parse(three)]);
  });
});

describe('Reading incrementally', () => {
  const folder = testFolder();

  /** Result of incremental reading after `more` was appended to the builder's text. */
  async function grown(built: SessionBuilder, more: (built: SessionBuilder) => SessionBuilder): Promise<Session> {
    const start = built.text();
    const path = await folder.write('a.jsonl', start);
    const before = await readSession(path);
    await appendFile(path, more(built).text().slice(start.length));
    return followSession(before);
  }

  it('attaches children of a leaf line to its target', async () => {
    const found = await grown(session().user('a').user('b').leaf(e1, { id: 'mark' }), (built) =>
      built.user('c', { id: 'new', parentId: 'mark' }),
    );
    assert.deepEqual([found.byId.get('new')?.parentId, found.children.get(e1), found.problems], [e1, [e2, 'new'], []]);
  });

  it('attaches children to a parent that appears later', async () => {
    const found = await grown(session().user('child', { parentId: 'later' }), (built) =>
      built.user('parent', { id: 'later', parentId: null }),
    );
    assert.deepEqual([found.roots, found.children.get('later'), found.problems], [['later'], [e1], []]);
  });

  it('attaches children to a parent that appears several readings later', async () => {
    const built = session().user('child', { parentId: 'later' });
    const path = await folder.write('late.jsonl', built.text());
    let found = await readSession(path);
    for (const more of ['between', 'later']) {
      const start = built.text().length;
      await appendFile(path, built.user(more, { id: more, parentId: null }).text().slice(start));
      found = await followSession(found);
    }
    assert.deepEqual([found.roots, found.children.get('later'), found.problems], [['between', 'later'], [e1], []]);
  });

  it('keeps the leaf if no entry was appended', async () => {
    const path = await folder.write('same.jsonl', session().user('a').text());
    const before = await readSession(path);
    await appendFile(path, 'no entry\n');
    const found = await followSession(before);
    assert.deepEqual([found.leafId, found.roots, problems(found)], [e1, [e1], ['bad-line@3']]);
  });

  it('has one node for a duplicate id', async () => {
    const found = await grown(session().user('a'), (built) => built.user('b', { id: e1, parentId: null }));
    assert.deepEqual([found.entries.map(({ text }) => text), problems(found)], [['user: b'], ['duplicate-id@3']]);
  });

  it('makes roots of entries with themselves or a missing entry as parent', async () => {
    const found = await grown(session().user('a'), (built) =>
      built.user('self', { id: e2, parentId: e2 }).user('lost', { parentId: 'none' }),
    );
    assert.deepEqual(
      [found.roots, problems(found)],
      [
        [e1, e2, e3],
        ['cycle@3', 'unknown-parent@4'],
      ],
    );
    const lost = await grown(session().user('a'), (built) => built.user('lost', { parentId: 'none' }));
    assert.deepEqual([lost.roots, problems(lost)], [[e1, e2], ['unknown-parent@3']]);
  });

  it("keeps labels, and reads a torn line once it's whole", async () => {
    const found = await grown(session().user('a').label(e1, 'x'), (built) => built.user('b'));
    assert.equal(found.labels.get(e1), 'x');
    const text = session().user('a').user('b').text();
    const path = await folder.write('torn.jsonl', text.slice(0, -20));
    const torn = await readSession(path);
    await appendFile(path, text.slice(-20));
    assert.deepEqual([problems(torn), problems(await followSession(torn))], [['torn-line@3'], []]);
  });
});
