import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { mock } from 'node:test';
import type { TextDocument } from 'vscode';
import type { LineOrigin, Session } from '../../../src/core/index';
import { annotatedLines, applyChanges, type TextChange } from '../../../src/lineOrigins/annotatedLines';
import type { AnnotationKind } from '../../../src/lineOrigins/annotationDecorations';
import { column, heatColor, letterOf, sessionColor, sessionHexColors, sessionOrder } from '../../../src/lineOrigins/annotationText';
import type * as lineModule from '../../../src/lineOrigins/currentLineAnnotation';
import type * as fileModule from '../../../src/lineOrigins/fileAnnotations';
import { entryId, session } from '../../fixtures/build';
import { fakeEditor, Uri } from '../../fixtures/fakeEditor';
import { type FakeTextEditor, fakeTextEditors } from '../../fixtures/fakeTextEditors';
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

  it('leave the sides of a difference free', async () => {
    const editor = open(Uri.file('/a.ts'), 'one\ntwo\nthree', { isDiff: true });
    const annotations = new loaded.FileAnnotations(deps);
    used = annotations;
    assert.equal(await annotations.show(editor.document as TextDocument, 'sessions'), true);
    assert.deepEqual(editor.shown(), []);
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

const origin = (from: number, to: number, entryId: string, path = '/a', time = 1): LineOrigin => ({
  from,
  to,
  path,
  entryId,
  time,
  certainty: 'exact',
});

describe('Annotated lines', () => {
  const TEXT = ['zero', 'one', 'two', 'three', 'four'];
  const lines = annotatedLines([origin(2, 3, 'a'), origin(5, 5, 'b')], TEXT.length);
  const change = (from: [number, number], to: [number, number], text: string): TextChange => ({
    range: { start: { line: from[0], character: from[1] }, end: { line: to[0], character: to[1] } },
    text,
  });
  /** The names of the lines' origins after changes, and `-` for lines without one. */
  function after(...changes: TextChange[]): string {
    const offset = (text: readonly string[], { line, character }: { line: number; character: number }): number =>
      text.slice(0, line).join('').length + line + character;
    let text = TEXT.join('\n');
    for (const { range, text: inserted } of [...changes].reverse())
      text = text.slice(0, offset(TEXT, range.start)) + inserted + text.slice(offset(TEXT, range.end));
    const now = text.split('\n');
    const kept = applyChanges(lines, changes, (line) => now[line]?.length ?? -1);
    assert.equal(kept.length, now.length);
    return kept.map((one) => one?.entryId ?? '-').join('');
  }

  it('have the origin of each line', () => {
    assert.equal(after(), '-aa-b');
  });

  it('lose it where a person types, deletes or pastes', () => {
    assert.equal(after(change([1, 2], [1, 2], 'x')), '--a-b');
    assert.equal(after(change([1, 1], [1, 2], '')), '--a-b');
    assert.equal(after(change([1, 1], [2, 1], 'x')), '---b');
    assert.equal(after(change([1, 1], [1, 1], 'x\ny')), '---a-b');
    assert.equal(after(change([2, 1], [2, 1], '\n')), '-a---b');
    assert.equal(after(change([0, 1], [0, 1], 'x'), change([4, 1], [4, 1], 'x')), '-aa--');
  });

  it('keep it when lines come or go above, below and between them', () => {
    assert.equal(after(change([0, 0], [0, 0], 'x\n')), '--aa-b');
    assert.equal(after(change([1, 0], [1, 0], '\n')), '--aa-b');
    assert.equal(after(change([1, 3], [1, 3], '\n')), '-a-a-b');
    assert.equal(after(change([1, 3], [1, 3], '\n  ')), '-a-a-b');
    assert.equal(after(change([2, 0], [3, 0], '')), '-a-b');
    assert.equal(after(change([0, 0], [1, 0], '')), 'aa-b');
  });
});

describe('Annotations', () => {
  it('have a letter and a color for each session, which later sessions don’t change', () => {
    const [old, next] = [origin(5, 6, 'x', '/old', 10), origin(1, 1, 'y', '/next', 20)];
    assert.deepEqual(
      [...sessionOrder([next, old])],
      [
        ['/old', 0],
        ['/next', 1],
      ],
    );
    assert.deepEqual(
      [...sessionOrder([origin(2, 2, 'z', '/new', 30), next, old])],
      [
        ['/old', 0],
        ['/next', 1],
        ['/new', 2],
      ],
    );
    assert.deepEqual([0, 25, 26, 51, 52, 702].map(letterOf), ['A', 'Z', 'AA', 'AZ', 'BA', 'AAA']);
    assert.deepEqual([0, 5, 6].map(sessionColor), ['sessionTree.session1', 'sessionTree.session6', 'sessionTree.session1']);
  });

  it('have the colors in lists that themes have by default', () => {
    const { contributes } = JSON.parse(readFileSync('package.json', 'utf8')) as {
      contributes: { colors: { id: string; defaults: { light: string; dark: string } }[] };
    };
    for (let place = 0; place < 6; place++) {
      const { light, dark } = contributes.colors.find(({ id }) => id === sessionColor(place))!.defaults;
      assert.deepEqual(sessionHexColors(place), { light, dark });
    }
    assert.deepEqual(sessionHexColors(6), sessionHexColors(0));
  });

  it('have a color for each age', () => {
    const day = 86_400_000;
    const now = 1000 * day;
    assert.deepEqual(
      [0, 0.9, 1, 6, 7, 29, 30, 179, 180, 900].map((days) => heatColor(now - days * day, now).at(-1)),
      ['1', '1', '2', '2', '3', '3', '4', '4', '5', '5'],
    );
    assert.equal(heatColor(now + day, now), 'sessionTree.heat1', 'another machine’s clock');
  });

  it('are columns of equal width', () => {
    assert.equal(column('A short', '3d', 12), 'A short   3d');
    assert.equal(column('A much too long', '3d', 12), 'A much t… 3d');
    assert.equal(column('扉を開ける', '3d', 12), '扉を開け… 3d');
    assert.equal(column('', '3d', 5), '   3d');
    assert.equal(column('cut', '', 2), 'c…');
    assert.equal(column('', 'Oct 2025', 8), 'Oct 2025');
    assert.equal(column('A', 'Oct 2025', 8), 'Oct 2025');
  });
});
