import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Root } from '../../../src/core/index';
import { OutsideFiles } from '../../../src/watch/outsideFiles';
import type * as watcherModule from '../../../src/watch/rootWatcher';
import { fakeEditor, Uri } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { FakeEmitter, loadWithVscode } from '../../fixtures/loadWithVscode';
import { until } from '../../fixtures/until';

interface Watched {
  readonly folder: string;
  readonly created: FakeEmitter<Uri>;
  readonly changed: FakeEmitter<Uri>;
  readonly deleted: FakeEmitter<Uri>;
  isDisposed: boolean;
}

describe('Watching the session folders', () => {
  let watched: Watched[];
  let reported: string[];
  let watcher: watcherModule.RootWatcher;
  const root = (path: string, flat = true): Root => ({ path, dialect: 'pi', flat });

  beforeEach(() => {
    [watched, reported] = [[], []];
    const { api } = fakeEditor();
    const createFileSystemWatcher = ({ base }: { base: Uri }): object => {
      const one: Watched = {
        folder: base.fsPath,
        created: new FakeEmitter(),
        changed: new FakeEmitter(),
        deleted: new FakeEmitter(),
        isDisposed: false,
      };
      watched.push(one);
      return {
        onDidCreate: one.created.event,
        onDidChange: one.changed.event,
        onDidDelete: one.deleted.event,
        dispose: () => (one.isDisposed = true),
      };
    };
    const { RootWatcher } = loadWithVscode(join(__dirname, '../../../src/watch/rootWatcher.js'), {
      ...api,
      workspace: { createFileSystemWatcher },
    }) as typeof watcherModule;
    watcher = new RootWatcher((paths) => reported.push(...paths));
  });
  afterEach(() => watcher.dispose());

  const open = (): string[] => watched.flatMap(({ folder, isDisposed }) => (isDisposed ? [] : [folder]));

  it('reports sessions, and no other files beside them', async () => {
    watcher.watch([root('/s')]);
    for (const name of ['a.lock', 'notes.md', '.hidden', 'a.jsonl']) watched[0]!.changed.fire(Uri.file(`/s/${name}`));
    await until(() => reported.length > 0);
    assert.deepEqual(reported, ['/s/a.jsonl']);
  });

  it('reports sessions that are archived, but not while they are being compressed', async () => {
    watcher.watch([root('/archive/sessions', false)]);
    await watcher.sessionsFound(['/archive/sessions/p/a.jsonl.gz']);
    for (const name of ['b.jsonl.gz.7.5.tmp', 'b.tar.gz', 'b.jsonl.gz']) watched[1]!.created.fire(Uri.file(`/archive/sessions/p/${name}`));
    await until(() => reported.length > 0);
    watched[1]!.deleted.fire(Uri.file('/archive/sessions/p/a.jsonl.gz'));
    await until(() => reported.length > 1);
    assert.deepEqual(reported, ['/archive/sessions/p/b.jsonl.gz', '/archive/sessions/p/a.jsonl.gz']);
  });

  it('reports single files beside them, which needn’t exist', async () => {
    watcher.watch([root('/agent/sessions')], ['/agent/pins.json', '/other/pins.json']);
    assert.deepEqual(open(), ['/agent', '/other', '/agent/sessions']);
    watched[1]!.created.fire(Uri.file('/other/pins.json'));
    await until(() => reported.length > 0);
    assert.deepEqual(reported, ['/other/pins.json']);
    watcher.watch([root('/agent/sessions')], ['/agent/pins.json']);
    assert.deepEqual(open(), ['/agent', '/agent/sessions']);
    watcher.dispose();
    assert.deepEqual(open(), []);
  });

  it('ends for a folder that is no longer one of them, and continues for the others', async () => {
    watcher.watch([root('/one'), root('/two')]);
    await watcher.sessionsFound(['/one/project/a.jsonl', '/two/project/b.jsonl']);
    assert.deepEqual(open(), ['/one', '/two', '/one/project', '/two/project']);
    watcher.watch([root('/two'), root('/three')]);
    assert.deepEqual(open(), ['/two', '/two/project', '/three']);
    watcher.dispose();
    assert.deepEqual(open(), []);
  });

  it('is of those of very many folders whose sessions changed last', async () => {
    watcher.watch([root('/s', false)]);
    const subagents = Array.from({ length: 1500 }, (_, at) => `/s/project/${at}/subagent.jsonl`);
    const times = new Map(subagents.map((path, at) => [path, at]));
    await watcher.sessionsFound(['/s/project/new.jsonl', '/s/other/old.jsonl', ...subagents, '/s/project/old.jsonl'], (path) =>
      path === '/s/project/new.jsonl' ? 9000 : (times.get(path) ?? 0),
    );
    const now = open();
    assert.deepEqual([now.length, now.includes('/s/project'), now.includes('/s/other')], [1001, true, false]);
    assert.deepEqual([now.includes('/s/project/1499'), now.includes('/s/project/0')], [true, false]);
    // The next one takes the place of the one that changed first.
    await watcher.sessionsFound(['/s/other/old.jsonl']);
    assert.deepEqual([open().length, open().includes('/s/other'), open().includes('/s/project')], [1001, true, true]);
  });

  it('ends for a project whose folder is deleted', async () => {
    watcher.watch([root('/s', false)]);
    await watcher.sessionsFound(['/s/project/a.jsonl']);
    watched[0]!.deleted.fire(Uri.file('/s/project'));
    assert.deepEqual(open(), ['/s']);
  });
});

describe('Open session files outside the session folders', () => {
  const folder = testFolder();

  it('are compared with the last time, and those that vanished are named apart', async () => {
    const [same, changed, gone] = [
      await folder.write('a.jsonl', 'a'),
      await folder.write('b.jsonl', 'b'),
      await folder.write('c.jsonl', 'c'),
    ];
    const files = new OutsideFiles();
    assert.deepEqual(await files.refresh([same, changed, gone]), { changed: new Set([same, changed, gone]), removed: new Set() });
    await folder.write('b.jsonl', 'longer');
    await rm(gone);
    assert.deepEqual(await files.refresh([same, changed, gone]), { changed: new Set([changed]), removed: new Set([gone]) });
    assert.deepEqual(await files.refresh([same, changed, gone]), { changed: new Set(), removed: new Set() });
  });
});
