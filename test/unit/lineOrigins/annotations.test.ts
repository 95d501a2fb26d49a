import assert from 'node:assert/strict';
import { join } from 'node:path';
import { mock } from 'node:test';
import type { TextDocument } from 'vscode';
import type { LineOrigin, Session } from '../../../src/core/index';
import type * as lineModule from '../../../src/lineOrigins/currentLineAnnotation';
import type * as fileModule from '../../../src/lineOrigins/fileAnnotations';
import { entryId, session } from '../../fixtures/build';
import { fakeEditor, Uri } from '../../fixtures/fakeEditor';
import { fakeTextEditors, type FakeTextEditor } from '../../fixtures/fakeTextEditors';
import { FakeEmitter, loadWithVscode } from '../../fixtures/loadWithVscode';
import { read } from '../../fixtures/read';

describe('Annotations of lines', () => {
  let wrote: Session;
  let open: ReturnType<typeof fakeTextEditors>;
  let loaded: typeof lineModule & typeof fileModule;
  let deps: lineModule.CurrentLineDeps;
  let used: { dispose(): void };
  /** The session wrote the first two of three lines. */
  const origins = (): LineOrigin[] => [{ from: 1, to: 2, path: '/s.jsonl', entryId: entryId(2), time: Date.now(), certainty: 'exact' }];

  beforeEach(() => {
    wrote = read(session().user('Add a door').tool('write', { path: 'a.ts', content: 'one\ntwo' }));
    mock.timers.enable({ apis: ['setTimeout'] });
    const editor = fakeEditor();
    open = fakeTextEditors(editor);
    const { CurrentLineAnnotation } = loadWithVscode(
      join(__dirname, '../../../src/lineOrigins/currentLineAnnotation.js'),
      editor.api,
    ) as typeof lineModule;
    const { FileAnnotations } = loadWithVscode(
      join(__dirname, '../../../src/lineOrigins/fileAnnotations.js'),
      editor.api,
    ) as typeof fileModule;
    loaded = { CurrentLineAnnotation, FileAnnotations };
    const joinParts = (...parts: readonly (string | undefined)[]): string => parts.filter((part) => part !== undefined).join(' · ');
    deps = {
      origins: { of: () => Promise.resolve(origins()), onDidChange: new FakeEmitter<void>().event as never },
      text: { ago: () => 'now', age: () => 'now', dollars: String, truncate: (text) => text, joinParts },
      session: () => Promise.resolve(wrote),
      log: { warnOnce: (text) => assert.fail(text), error: (error) => assert.ifError(error) },
    };
  });
  afterEach(() => {
    used.dispose();
    mock.timers.reset();
  });

  /** Lets the pause after the last key pass. */
  async function passed(): Promise<void> {
    mock.timers.tick(1000);
    for (let turns = 0; turns < 20; turns++) await Promise.resolve();
  }
  const texts = (editor: FakeTextEditor): unknown[] => editor.shown().map(({ line, text }) => [line, text]);

  it('name the prompt at the end of the current line, until that line changes', async () => {
    const other = open(Uri.file('/other.ts'), 'one');
    const editor = open(Uri.file('/a.ts'), 'one\ntwo\nthree');
    used = new loaded.CurrentLineAnnotation(deps);
    assert.deepEqual(texts(editor), []);
    await passed();
    assert.deepEqual(texts(editor), [[0, 'Add a door · now']]);
    other.change(0);
    editor.change(2);
    assert.deepEqual(texts(editor), [[0, 'Add a door · now']]);
    editor.change(0);
    assert.deepEqual(texts(editor), []);
  });

  it('color the lines of a file by session, or by age', async () => {
    const editor = open(Uri.file('/a.ts'), 'one\ntwo\nthree');
    const annotations = new loaded.FileAnnotations(deps);
    used = annotations;
    const colors = async (kind: fileModule.AnnotationKind): Promise<unknown> => {
      assert.equal(await annotations.show(editor.document as TextDocument, kind), true);
      return editor.shown().map(({ line, color }) => [line, color]);
    };
    assert.deepEqual(await colors('sessions'), [
      [0, 'sessionTree.session1'],
      [1, 'sessionTree.session1'],
      [2, 'transparent'],
    ]);
    assert.deepEqual(await colors('heatmap'), [
      [0, 'sessionTree.heat1'],
      [1, 'sessionTree.heat1'],
      [2, 'transparent'],
    ]);
  });
});
