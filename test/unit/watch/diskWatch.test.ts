import * as assert from 'node:assert/strict';
import { join } from 'node:path';
import type { Root } from '../../../src/core/index';
import type * as diskWatchModule from '../../../src/watch/diskWatch';
import { fakeEditor, type Uri } from '../../fixtures/fakeEditor';
import { FakeEmitter, loadWithVscode } from '../../fixtures/loadWithVscode';
import { until } from '../../fixtures/until';

const ROOT: Root = { path: '/agent/sessions', dialect: 'pi', flat: false };

describe('Keeping the store current with the disk', () => {
  let watched: string[];
  let files: Map<string, unknown>;
  let calls: string[];
  let watch: diskWatchModule.DiskWatch;

  beforeEach(() => {
    watched = [];
    files = new Map();
    calls = [];
    let isNew = true;
    const none = new FakeEmitter();
    const createFileSystemWatcher = ({ base }: { base: Uri }): object => {
      watched.push(base.fsPath);
      return { onDidCreate: none.event, onDidChange: none.event, onDidDelete: none.event, dispose: () => undefined };
    };
    const { DiskWatch } = loadWithVscode(join(__dirname, '../../../src/watch/diskWatch.js'), {
      ...fakeEditor().api,
      workspace: { createFileSystemWatcher },
    }) as typeof diskWatchModule;
    const did = (what: string) => (): Promise<void> => Promise.resolve(void calls.push(what));
    watch = new DiskWatch({
      roots: {
        current: () => [ROOT],
        existing: () => [ROOT],
        refresh: () => {
          const before = isNew;
          isNew = false;
          return Promise.resolve(before);
        },
      } as never,
      store: { files: () => files, open: did('rows'), refresh: did(`refresh`) } as never,
      presence: {} as never,
      idle: { isIdle: () => false, onDidEnd: none.event } as never,
      isObserved: () => false,
      visiblePaths: () => [],
      openPaths: () => [],
      onRootsChanged: () => calls.push('roots'),
      onRefreshed: () => undefined,
      onPresenceChanged: () => undefined,
      checkOtherWindows: () => Promise.resolve(),
      hasPendingChanges: () => false,
      writePendingChanges: () => Promise.resolve(),
      onOutsideChanged: () => undefined,
      onError: (error) => assert.fail(String(error)),
    });
  });
  afterEach(() => watch.dispose());

  it('shows the rows that are known before it watches anything', async () => {
    files.set('/agent/sessions/a/1.jsonl', {});
    await watch.start();
    watch.storeChanged({ changed: new Set(files.keys()), removed: new Set() });
    assert.deepEqual([calls, watched], [['rows'], []]);
  });

  it('watches the roots and the folders of known sessions before it first inspects the disk, and then those of new sessions', async () => {
    await watch.start();
    files.set('/agent/sessions/a/1.jsonl', { version: { mtimeMs: 1 } });
    const first = watch.refreshAll();
    await first;
    assert.deepEqual(
      [calls, watched],
      [
        ['rows', 'roots', 'refresh'],
        ['/agent', ROOT.path, '/agent/sessions/a'],
      ],
    );
    await watch.refreshAll();
    watch.storeChanged({ changed: new Set(['/agent/sessions/b/2.jsonl']), removed: new Set() });
    await until(() => watched.length > 3);
    assert.deepEqual(watched.slice(3), ['/agent/sessions/b']);
    assert.deepEqual(calls.slice(3), ['refresh']);
  });
});
