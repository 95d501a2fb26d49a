import assert from 'node:assert/strict';
import Module from 'node:module';
import { join } from 'node:path';
import type * as featuresModule from '../../../src/lineOrigins/lineOriginFeatures';
import type { TextDocument } from 'vscode';
import { CancellationError, fakeEditor } from '../../fixtures/fakeEditor';
import { FakeEmitter, loadWithVscode } from '../../fixtures/loadWithVscode';

const loader = Module as unknown as { _load: (request: string, ...rest: unknown[]) => unknown };
const FOLDER = join(__dirname, '../../../src/lineOrigins');

describe('The features that show where lines come from', () => {
  const settings = new Map<string, boolean>();
  const changes = new FakeEmitter<{ affectsConfiguration: (name: string) => boolean }>();
  let registered: string[] = [];
  let logged = 0;
  let features: featuresModule.LineOriginFeatures;

  const create = (): void => {
    registered = [];
    const { api } = fakeEditor();
    const register = (name: string) => () => {
      registered.push(name);
      return { dispose: () => registered.splice(registered.indexOf(name), 1) };
    };
    const { LineOriginFeatures } = loadWithVscode(join(FOLDER, 'lineOriginFeatures.js'), {
      ...api,
      workspace: {
        ...api.workspace,
        getConfiguration: () => ({ get: (name: string) => settings.get(name) }),
        onDidChangeConfiguration: changes.event,
      },
      languages: { registerHoverProvider: register('hover'), registerCodeLensProvider: register('lens') },
    }) as typeof featuresModule;
    features = new LineOriginFeatures({
      catalog: {
        open: () => Promise.reject(new Error('opened')),
        catalog: () => Promise.reject(new Error('opened')),
        progress: () => ({ done: 0, total: 0 }),
        onDidChangeSessions: (): never => {
          throw new Error('listens');
        },
      },
      session: () => Promise.reject(new Error('read')),
      text: { ago: String, age: String, dollars: String, truncate: String, joinParts: String },
      escapeMarkdown: String,
      log: { warnOnce: () => undefined, error: () => (logged += 1) },
    });
  };
  afterEach(() => features.dispose());

  it('registers nothing and listens to no session while it’s off', () => {
    settings.clear();
    create();
    assert.deepEqual(registered, []);
  });

  it('follows the setting of the hover', () => {
    settings.set('hover', true);
    create();
    assert.deepEqual(registered, ['hover']);
    settings.set('hover', false);
    changes.fire({ affectsConfiguration: (name) => name === 'other' });
    assert.deepEqual(registered, ['hover']);
    changes.fire({ affectsConfiguration: (name) => name === 'sessionTree.lineOrigins' });
    assert.deepEqual(registered, []);
  });

  it('tries again to load the code of a requested feature', async () => {
    settings.clear();
    create();
    const inner = loader._load;
    loader._load = function (request, ...rest) {
      if (request.startsWith('./')) throw new Error('the file is gone');
      return inner.call(this, request, ...rest);
    };
    try {
      await assert.rejects(features.toggleBlame(), CancellationError);
      await assert.rejects(features.sessionsOf({} as TextDocument, 1, 1), CancellationError);
      await assert.rejects(features.toggleFile({} as TextDocument, 'sessions'), CancellationError);
      assert.equal(logged, 3);
    } finally {
      loader._load = inner;
    }
    await assert.rejects(features.toggleBlame(), /listens/);
  });
});
