import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { findFileVersion } from '../../../src/core/files/read/versions/findFileVersion';
import { openSessionBytesSync } from '../../../src/core/files/sync/sessionBytesSync';
import { followSession, progressText, readSession, type SessionProgress } from '../../../src/core/index';
import { session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { addSession, createDatabase, insert } from '../../fixtures/openclawDatabase';

describe('The progress of a session in OpenClaw’s database', () => {
  const folder = testFolder();
  const lines = session().user('hello').lines();
  let database: DatabaseSync;
  beforeEach(() => (database = createDatabase(join(folder.path, 'a.sqlite'))));
  afterEach(() => database.close());

  const pathOf = (id: string): string => join(folder.path, 'a.sqlite', `${id}.jsonl`);
  /** Reads it on the databases' thread and on this one, as the API of sessions does. */
  const progressOf = async (id: string): Promise<SessionProgress | undefined> => {
    const { progress } = await readSession(pathOf(id));
    const opened = openSessionBytesSync(pathOf(id));
    opened.file.close();
    assert.deepEqual(opened.facts?.progress, progress);
    return progress;
  };
  const recap = (more: object = {}): object => ({
    activitySummary: { version: 1, text: 'Der Kran **steht**.', sessionId: 'one', generation: 'generation of one', maxSeq: 1, ...more },
  });
  const addWith = (entry: unknown, id = 'one'): void =>
    addSession(database, { id, lines, node: { entry_json: typeof entry === 'string' ? entry : JSON.stringify(entry) } });
  const addCard = (id: string, markdown: string | null, steps: string | null): void =>
    insert(database, 'session_progress_cards', {
      session_key: `agent:main:${id}`,
      markdown,
      steps_json: steps,
      revision: 1,
      created_at: 1,
      updated_at: 1,
    });

  it('has the recap of its events', async () => {
    addWith(recap());
    assert.deepEqual(await progressOf('one'), { recap: 'Der Kran **steht**.' });
  });

  it('has no recap of other events or of a form that isn’t known', async () => {
    const others = [{ generation: 'earlier' }, { sessionId: 'two' }, { version: 2 }, { text: 7 }, { text: ' ' }, { generation: null }];
    for (const [at, other] of others.entries()) {
      const id = `s${at}`;
      addWith(recap({ sessionId: id, generation: `generation of ${id}`, ...other }), id);
      assert.equal(await progressOf(id), undefined, JSON.stringify(other));
    }
    for (const [id, text] of Object.entries({ cut: '{"activitySummary"', list: '[]', huge: `"${'x'.repeat(600_000)}"` })) {
      addWith(text, id);
      assert.equal(await progressOf(id), undefined, id);
    }
  });

  it('has the card that the agent wrote, as text', async () => {
    addWith({});
    const steps = [
      { step: 'Прочитать', status: 'completed' },
      { step: '**Build**', status: 'in_progress' },
      { step: '試す', status: 'pending' },
      { step: 7 },
      'x',
      null,
    ];
    addCard('one', '## Kran\n[link](command:evil) <b>x</b>', JSON.stringify(steps));
    const progress = await progressOf('one');
    assert.equal(progress?.markdown, '## Kran\n[link](command:evil) <b>x</b>');
    assert.equal(progressText(progress), 'Kran\nlink <b>x</b>\n✓ Прочитать\n→ Build\n○ 試す');
  });

  it('has no card that is empty or damaged, and at most a hundred steps', async () => {
    for (const id of ['empty', 'bad', 'many']) addWith({}, id);
    addCard('empty', null, '[]');
    addCard('bad', ' ', '[{"step": ');
    addCard('many', null, JSON.stringify(Array.from({ length: 100_000 / 40 }, (_, step) => ({ step: String(step), status: 'pending' }))));
    assert.deepEqual([await progressOf('empty'), await progressOf('bad')], [undefined, undefined]);
    assert.equal((await progressOf('many'))?.steps?.length, 100);
  });

  it('is read again once the agent has written another card', async () => {
    addWith({});
    addCard('one', 'first', null);
    const before = await readSession(pathOf('one'));
    const version = await findFileVersion(pathOf('one'));
    assert.deepEqual(await findFileVersion(pathOf('one'), version), version);
    database.exec("UPDATE session_progress_cards SET markdown = 'second', revision = 2");
    assert.notEqual((await findFileVersion(pathOf('one'), version))?.facts, version?.facts);
    const after = await followSession(before);
    assert.deepEqual([before.progress?.markdown, after.progress?.markdown], ['first', 'second']);
  });
});
