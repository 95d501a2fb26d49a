import * as assert from 'node:assert/strict';
import { join } from 'node:path';
import { mock } from 'node:test';
import type * as refreshingModule from '../../../src/activation/refreshing';
import { fakeEditor } from '../../fixtures/fakeEditor';
import { loadWithVscode } from '../../fixtures/loadWithVscode';

describe('A start', () => {
  let looks: number;
  /** Settles when the editor has drawn the rows of the last window. */
  let drawn: Promise<void>;
  let refreshing: refreshingModule.Refreshing;

  beforeEach(() => {
    mock.timers.enable({ apis: ['setTimeout'] });
    looks = 0;
    drawn = Promise.resolve();
    const { api } = fakeEditor();
    const onDidChangeWorkspaceFolders = (): object => ({ dispose: () => undefined });
    const { Refreshing } = loadWithVscode(join(__dirname, '../../../src/activation/refreshing.js'), {
      ...api,
      workspace: { ...api.workspace, onDidChangeWorkspaceFolders },
    }) as typeof refreshingModule;
    refreshing = new Refreshing({
      data: {
        roots: {
          refresh: () => {
            looks++;
            return new Promise(() => undefined);
          },
        },
      } as never,
      views: { sessions: { rows: { firstRows: new Promise(() => undefined), restored: { drawn: () => drawn } } } } as never,
      globalState: {} as never,
      log: {} as never,
      onError: (error) => assert.fail(String(error)),
    });
  });
  afterEach(() => {
    refreshing.dispose();
    mock.timers.reset();
  });

  it('looks for sessions once, whoever asks', async () => {
    void refreshing.rootsReady();
    void refreshing.rootsReady();
    assert.equal(looks, 1);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(looks, 1);
  });

  it('reads in the turn after it, without a request for rows', async () => {
    await Promise.resolve();
    assert.equal(looks, 0);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(looks, 1);
  });

  it('reads nothing while the editor draws the rows of the last window, unless that takes long', async () => {
    drawn = new Promise(() => undefined);
    await new Promise((resolve) => setImmediate(resolve));
    mock.timers.tick(499);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(looks, 0);
    mock.timers.tick(1);
    await new Promise((resolve) => setImmediate(resolve));
    assert.equal(looks, 1);
  });
});
