import assert from 'node:assert/strict';
import { join } from 'node:path';
import { mock } from 'node:test';
import type { TextDocument } from 'vscode';
import type { LineOrigin, Session } from '../../../src/core/index';
import type { AnnotationKind } from '../../../src/lineOrigins/annotationDecorations';
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
  let deps: lineModule.CurrentLineDeps & fileModule.FileAnnotationsDeps;
  let isQuick: boolean;
  let used: { dispose(): void };
  /** The session wrote the first two of three lines. */
  const written: LineOrigin = { from: 1, to: 2, path: '/s.jsonl', entryId: entryId(2), time: Date.now(), certainty: 'exact' };
  let origins: () => LineOrigin[];

  beforeEach(() => {
    origins = () => [written];
    isQuick = true;
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
      origins: {
        of: () => Promise.resolve(origins()),
        quick: () => Promise.resolve(isQuick ? origins() : 'too many changes'),
        onDidChange: new FakeEmitter<void>().event as never,
      },
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

  it('say at the current line that there are too many changes, and go on with them for a whole file', async () => {
    isQuick = false;
    const editor = open(Uri.file('/a.ts'), 'one\ntwo\nthree');
    used = new loaded.CurrentLineAnnotation(deps);
    await passed();
    assert.deepEqual(texts(editor), [[0, 'Too many changes to find this line’s origin quickly.']]);
    used.dispose();
    const annotations = new loaded.FileAnnotations(deps);
    used = annotations;
    assert.equal(await annotations.show(editor.document as TextDocument, 'sessions'), true);
  });

  it('color the lines of a file by session, or by age', async () => {
    const editor = open(Uri.file('/a.ts'), 'one\ntwo\nthree');
    const annotations = new loaded.FileAnnotations(deps);
    used = annotations;
    const shown = async (kind: AnnotationKind): Promise<unknown> => {
      assert.equal(await annotations.show(editor.document as TextDocument, kind), true);
      return editor.shown().map(({ line, to, color, text }) => [line, to, color, text?.trim()]);
    };
    assert.deepEqual(await shown('sessions'), [
      [0, 1, 'sessionTree.session1', undefined],
      [0, 0, undefined, 'A Add a door                   now'],
      [1, 1, undefined, 'A'],
      [2, 2, undefined, ''],
    ]);
    assert.deepEqual(await shown('heatmap'), [
      [0, 1, 'sessionTree.heat1', undefined],
      [0, 0, undefined, 'now'],
      [1, 1, undefined, 'now'],
      [2, 2, undefined, ''],
    ]);
  });

  it('are plain ranges for most lines of a long file, also after changes', async () => {
    const LINES = 20_000;
    origins = () => [{ ...written, to: LINES - 1 }];
    const editor = open(Uri.file('/long.ts'), Array(LINES).fill('line').join('\n'));
    const annotations = new loaded.FileAnnotations(deps);
    used = annotations;
    await annotations.show(editor.document as TextDocument, 'sessions');
    const colored = (): number[][] => editor.shown().flatMap(({ line, to, color }) => (color === undefined ? [] : [[line, to]]));
    const at = (line: number): unknown[] =>
      editor.shown().flatMap((one) => (one.line === line && one.text !== undefined ? [one.text.trim()] : []));
    const shown = (): unknown => [editor.counts(), colored(), at(0).length, at(30), at(31), at(LINES - 1)];
    const all = [{ own: 2, plain: LINES - 2 + 1 }, [[0, LINES - 2]], 1, ['A'], ['A'], ['']];
    assert.deepEqual(shown(), all);
    editor.change(30);
    const around = [
      [0, 29],
      [31, LINES - 2],
    ];
    assert.deepEqual(shown(), [{ own: 4, plain: LINES - 4 + 2 }, around, 1, [''], ['A Add a door                   now'], ['']]);
    await passed();
    assert.deepEqual(shown(), all);
    annotations.hide(editor.document as TextDocument);
    assert.deepEqual(editor.shown(), []);
  });
});
