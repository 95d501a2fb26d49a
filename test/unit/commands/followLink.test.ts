import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { SessionRef } from '../../../src/contract';
import type { CommandDeps } from '../../../src/commands/handler/commandDeps';
import type * as linkModule from '../../../src/commands/open/followLink';
import { readSession, type SessionSummary } from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { file } from '../tree/storedFiles';

describe('A link with the id of a session', () => {
  const { followLink } = loadWithVscode(join(__dirname, '../../../src/commands/open/followLink.js'), fakeEditor().api) as typeof linkModule;
  const folder = testFolder();
  let shown: SessionRef[];
  let reviewed: SessionRef[];
  let refused: string[];
  /** Known once the catalog has read everything. */
  let late: SessionSummary[];
  let known: SessionSummary[];

  beforeEach(() => {
    [shown, reviewed, refused, late, known] = [[], [], [], [], []];
  });
  const follow = (query: string, path = '/open'): Promise<void> =>
    followLink(
      {
        rootsReady: () => Promise.resolve(),
        roots: () => [],
        session: (path) => readSession(path),
        showContext: (ref) => Promise.resolve({ messages: shown.push(ref) }),
        sessions: () => known,
        catalog: { settled: () => Promise.resolve(void (known = [...known, ...late])) } as unknown as CommandDeps['catalog'],
      },
      { error: (error) => void refused.push((error as { code?: string }).code ?? String(error)) },
      { path, query },
      (ref) => Promise.resolve(reviewed.push(ref)),
    );
  const stored = async (dialect: SessionSummary['dialect']): Promise<SessionSummary> => {
    const path = await folder.write(`${dialect}.jsonl`, session().user('Hello').text());
    const listed = file(path, '/work', 1, { dialect, id: 'same' });
    assert.ok(listed.kind === 'session');
    return listed.summary;
  };

  it('opens the session of its program, or an entry of it', async () => {
    known = [await stored('pi'), await stored('omp')];
    await follow('program=omp&session=same');
    await follow(`program=pi&session=same&entry=${entryId(1)}`);
    assert.deepEqual([shown, refused], [[{ path: known[1]?.path }, { path: known[0]?.path, entryId: entryId(1) }], []]);
  });

  it('opens the review of the files at an entry, and refuses to do anything else', async () => {
    known = [await stored('pi')];
    await follow(`program=pi&session=same&entry=${entryId(1)}`, '/restore');
    assert.deepEqual([shown, reviewed, refused], [[], [{ path: known[0]?.path, entryId: entryId(1) }], []]);
    await follow('program=pi&session=same&entry=gone', '/restore');
    await follow(`program=pi&session=same&entry=${entryId(1)}`, '/delete');
    assert.deepEqual([shown.length, reviewed.length, refused], [0, 1, ['unknown-entry', 'invalid']]);
  });

  it('opens the most recently active one of several sessions with the id', async () => {
    const newest = await stored('pi');
    known = [{ ...newest, path: '/older', modified: newest.modified - 1 }, newest];
    await follow('program=pi&session=same');
    assert.deepEqual(shown, [{ path: newest.path }]);
  });

  it('waits for the reading of sessions before it’s refused', async () => {
    late = [await stored('pi')];
    await follow('program=pi&session=same');
    await follow('program=pi&session=other');
    await follow('program=pi&session=same&entry=gone');
    assert.deepEqual([shown, refused], [[{ path: late[0]?.path }], ['not-found', 'unknown-entry']]);
  });
});
