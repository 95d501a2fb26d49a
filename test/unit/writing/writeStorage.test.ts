import assert from 'node:assert/strict';
import promises, { chmod } from 'node:fs/promises';
import Module from 'node:module';
import { join } from 'node:path';
import { createWriter, openWrites, SessionError } from '../../../src/core/index';
import type * as storageModule from '../../../src/writing/writeStorage';
import { CancellationError } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { FakeEmitter, loadWithVscode, translate } from '../../fixtures/loadWithVscode';

const MODULE = join(__dirname, '../../../src/writing/writeStorage.js');

const unexpected = (reason: unknown): never => assert.fail(String(reason));

describe('A storage folder that others can write to', function () {
  const folder = testFolder();
  const real = promises.chmod;
  before(function () {
    if (process.platform === 'win32') this.skip();
  });
  beforeEach(async () => {
    await chmod(folder.path, 0o777);
    // Simulates a file system without permissions, on which the call succeeds and changes nothing.
    promises.chmod = () => Promise.resolve();
  });
  afterEach(() => {
    promises.chmod = real;
  });

  it('is reported when its permissions can not be changed', async () => {
    const exposed: SessionError[] = [];
    const options = { folder: folder.path, writer: createWriter(), roots: () => [], onProblem: unexpected };
    await openWrites({ ...options, onExposed: (error) => exposed.push(error) });
    assert.deepEqual(
      exposed.map(({ code, args }) => [code, args]),
      [['permission', { folder: folder.path }]],
    );
    promises.chmod = real;
    await openWrites({ ...options, onExposed: unexpected });
  });

  it('is shown to the person once, and is used nevertheless', async () => {
    const api = {
      EventEmitter: FakeEmitter,
      workspace: { onDidChangeConfiguration: new FakeEmitter().event, getConfiguration: () => ({ get: () => undefined }) },
    };
    const { openWriteStorage } = loadWithVscode(MODULE, api) as typeof storageModule;
    const problems: SessionError[] = [];
    const storage = openWriteStorage({ folder: folder.path, roots: () => [], onError: unexpected });
    try {
      storage.onProblem((error) => problems.push(error));
      await storage.recoverAndPrune(unexpected);
      await storage.recoverAndPrune(unexpected);
      await storage.writes();
      assert.equal(problems.length, 1);
      assert.ok(problems[0] instanceof SessionError);
      assert.match(problems[0].message, new RegExp(folder.path));
    } finally {
      storage.dispose();
    }
  });
});

describe('A storage folder that can not be used', () => {
  const folder = testFolder();

  it('is reported once, with the reason, the folder and what does not work', async () => {
    // A file where the folder should be.
    const storageFolder = join(await folder.write('file', ''), 'storage');
    const api = {
      EventEmitter: FakeEmitter,
      workspace: { onDidChangeConfiguration: new FakeEmitter().event, getConfiguration: () => ({ get: () => undefined }) },
    };
    const { openWriteStorage } = loadWithVscode(MODULE, api) as typeof storageModule;
    const [problems, logged]: [SessionError[], unknown[]] = [[], []];
    const storage = openWriteStorage({ folder: storageFolder, roots: () => [], onError: (error) => logged.push(error) });
    try {
      storage.onProblem((error) => problems.push(error));
      await storage.recoverAndPrune(unexpected);
      await storage.recoverAndPrune(unexpected);
      assert.equal(problems.length, 1);
      assert.match(problems[0]!.message, /can’t use its storage \(.+\), so undo, trash and pending changes aren’t available: /);
      assert.ok(problems[0]!.message.endsWith(storageFolder));
      await assert.rejects(storage.writes(), { code: 'permission', message: problems[0]!.message });
      assert.equal(logged.length, 1);
    } finally {
      storage.dispose();
    }
  });
});

describe('The storage of writes, if its code can’t be loaded', () => {
  const folder = testFolder();
  const loader = Module as unknown as { _load: (request: string, ...rest: unknown[]) => unknown };
  const original = loader._load;
  afterEach(() => {
    loader._load = original;
  });

  it('refuses each write as cancelled, since a message has the reason, until it can be loaded', async () => {
    let shown = 0;
    const api = {
      EventEmitter: FakeEmitter,
      CancellationError,
      l10n: { t: translate },
      window: { showErrorMessage: () => Promise.resolve((shown += 1)) },
      workspace: { onDidChangeConfiguration: new FakeEmitter().event, getConfiguration: () => ({ get: () => undefined }) },
    };
    const { openWriteStorage } = loadWithVscode(MODULE, api) as typeof storageModule;
    const inner = loader._load;
    loader._load = function (request, ...rest) {
      if (request === '../core/index') throw new Error('the file is gone');
      return inner.call(this, request, ...rest);
    };
    const errors: unknown[] = [];
    const storage = openWriteStorage({ folder: join(folder.path, 'storage'), roots: () => [], onError: (error) => errors.push(error) });
    try {
      await assert.rejects(storage.recoverAndPrune(unexpected), CancellationError);
      await assert.rejects(storage.writes(), CancellationError);
      await assert.rejects(storage.writer.prune(1), CancellationError);
      assert.deepEqual([errors.map(String), shown], [Array(3).fill('Error: the file is gone'), 3]);
      loader._load = inner;
      await storage.writer.prune(1);
      assert.equal(errors.length, 3);
    } finally {
      storage.dispose();
    }
  });
});
