import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { session, type SessionBuilder } from '../fixtures/build';
import { driver } from './driver';
import { editorSuite, own, run } from './editorSuite';
import { atEnd, changeSetting } from './replacements';
import { untilEqual, untilMatches } from './waiting';

const CODE = `export function openDoor(door) {
  door.unlock();
  door.open();
}

// a person wrote this
export function closeDoor(door) {
  door.close();
}
`;

describe('origins of lines', () => {
  let file: string;
  editorSuite();
  beforeEach(async () => {
    file = join(own.cwd, 'door.js');
    await writeFile(file, CODE);
    await own.put('open', opening(own.cwd));
    await own.put('close', closing(own.cwd));
  });

  const at = (seconds: number): string => new Date(Date.UTC(2026, 0, 2, 10, 0, seconds)).toISOString();
  const [OPEN, CLOSE] = [CODE.slice(0, CODE.indexOf('\n// a person')), CODE.slice(CODE.indexOf('export function close'))];
  const opening = (cwd: string): SessionBuilder =>
    session({ cwd })
      .user('Make a **door** that opens,x[please](command:sessionTreeTest.canary)', { id: 'ask' })
      .tool('write', { path: 'door.js', content: OPEN }, 'Successfully wrote 4 lines')
      .assistant('Done.')
      .name('Doors');
  const closing = (cwd: string): SessionBuilder =>
    session({ cwd, id: '01a1fa45-0000-7000-8000-000000000002', timestamp: at(60) })
      .user('Hello', { timestamp: at(60) })
      .assistant('Yes?')
      .user('It must close, too', { timestamp: at(61) })
      .tool('edit', { path: 'door.js', edits: [{ oldText: '}\n', newText: `}\n\n${CLOSE}` }] }, 'Edited', {
        timestamp: at(62),
        message: { timestamp: Date.parse(at(62)) },
      })
      .name('Closing');

  const show = async (): Promise<vscode.TextEditor> => vscode.window.showTextDocument(vscode.Uri.file(file));
  const hoverText = async (line: number): Promise<string> => {
    const hovers = await vscode.commands.executeCommand<vscode.Hover[]>(
      'vscode.executeHoverProvider',
      vscode.Uri.file(file),
      new vscode.Position(line, 4),
    );
    return hovers
      .flatMap(({ contents }) => contents.map((content) => (content instanceof vscode.MarkdownString ? content.value : '')))
      .join('\n');
  };

  it('shows in the hover of a line: the prompt, the session, and links', async () => {
    const editor = await show();
    const text = await untilMatches(() => hoverText(1), /Make a/);
    assert.match(text, /Doors · pi · anthropic\/claude\\-x/);
    await untilMatches(() => hoverText(7), /It must close, too/);
    assert.doesNotMatch(await hoverText(5), /session|turn/);
    editor.selection = new vscode.Selection(1, 8, 1, 8);
    await vscode.commands.executeCommand('editor.action.showHover');
    const hover = '.monaco-editor .monaco-hover';
    await driver.waitFor(`${hover} >> text=Make a door that opens,x[please](command:sessionTreeTest.canary)`);
    await driver.screenshot('line-origins-hover.png');
    assert.deepEqual(await driver.texts(`${hover} a`), ['Open Context There', 'Show the Change', 'All Edits of This Line', 'Resume']);
    await driver.click(`${hover} a >> text=Show the Change`);
    await untilMatches(() => vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '', /^door\.js: Make a /);
    const { modified } = vscode.window.tabGroups.activeTabGroup.activeTab!.input as vscode.TabInputTextDiff;
    assert.equal((await vscode.workspace.openTextDocument(modified)).getText(), OPEN);
  });

  it('lists all edits of a line from its hover', async () => {
    const editor = await show();
    await untilMatches(() => hoverText(1), /Make a/);
    editor.selection = new vscode.Selection(1, 8, 1, 8);
    await vscode.commands.executeCommand('editor.action.showHover');
    await driver.click('.monaco-editor .monaco-hover a >> text=All Edits of This Line');
    await driver.waitFor('.quick-input-widget:visible >> text=Why is line 2 of door.js here?');
    await driver.waitFor('.quick-input-list .monaco-list-row >> text=Make a door that opens');
    await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
  });

  it('opens the context and resumes the session from the hover', async function () {
    if (process.platform === 'win32') this.skip();
    const program = join(own.cwd, 'pi');
    await writeFile(program, '#!/bin/sh\nsleep 60\n');
    await chmod(program, 0o755);
    await changeSetting('sessionTree.programs', { pi: [program] });
    const link = async (title: string): Promise<void> => {
      const editor = await show();
      await untilMatches(() => hoverText(7), /must close/);
      editor.selection = new vscode.Selection(7, 8, 7, 8);
      await vscode.commands.executeCommand('editor.action.showHover');
      await driver.click(`.monaco-editor .monaco-hover a >> text=${title}`);
    };
    await link('Open Context There');
    await untilEqual(() => vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'Closing');
    await link('Resume');
    await untilEqual(() => vscode.window.terminals.map(({ name }) => name).join(), 'Closing');
  });

  it('has its hover below the hover of the language, whichever was there first', async () => {
    await show();
    await untilMatches(() => hoverText(1), /Make a/);
    const provider = { provideHover: () => new vscode.Hover('the type') };
    const registered = vscode.languages.registerHoverProvider({ language: 'javascript', scheme: 'file' }, provider);
    try {
      // Registers ours again, which would come first if both selectors fitted equally well.
      await changeSetting('sessionTree.lineOrigins.hover', false);
      await untilEqual(() => hoverText(1), 'the type');
      await changeSetting('sessionTree.lineOrigins.hover', undefined);
      await untilMatches(() => hoverText(1), /^the type\n[^]*Make a/);
    } finally {
      registered.dispose();
    }
  });

  it('follows the setting of the hover', async () => {
    await show();
    await untilMatches(() => hoverText(1), /Make a/);
    await changeSetting('sessionTree.lineOrigins.hover', false);
    await untilEqual(() => hoverText(1), '');
    await changeSetting('sessionTree.lineOrigins.hover', undefined);
    await untilMatches(() => hoverText(1), /Make a/);
  });

  it('follows unsaved text', async () => {
    const editor = await show();
    await untilMatches(() => hoverText(1), /Make a/);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), '// mine\n'));
    await untilMatches(() => hoverText(2), /Make a/);
    assert.equal(await hoverText(0), '');
    await editor.edit((edit) => edit.insert(new vscode.Position(2, 4), 'x'));
    assert.equal(await hoverText(2), '');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  /** The texts that decorations show before or after the lines of code, from top to bottom, as an expression in the window. */
  const decorations = (place: 'before' | 'after'): string => `[...document.querySelectorAll('.editor-instance .view-line')]
    .sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
    .map((line) => [...line.querySelectorAll('span')].map((span) => getComputedStyle(span, '::${place}').content).find((text) => text !== 'none') ?? '')`;
  const shortened = (texts: readonly string[]): string[] =>
    texts.map((text) => text.replace(/^"|"$/g, '').replaceAll('\u00a0', ' ').trimEnd());
  const decorated = async (place: 'before' | 'after'): Promise<string[]> =>
    shortened((await driver.evaluate(decorations(place))) as string[]);
  /** The beginnings of the annotations before lines. */
  const columns = async (): Promise<string> =>
    (await decorated('before')).map((text) => text.replace(/ +/g, ' ').slice(0, 14).trimEnd()).join('\n');
  const ANNOTATED = ['A Make a door', 'A', 'A', 'A', '', '', 'B It must clos', 'B', 'B', ''].join('\n');
  const TYPED = ['A Make a door', '', 'A Make a door', 'A', '', '', 'B It must clos', 'B', 'B', ''].join('\n');
  /** The colors beside the lines, from top to bottom. */
  const borders = async (): Promise<string[]> =>
    (await driver.evaluate(`[...document.querySelectorAll('.editor-instance .view-overlays > div')]
      .sort((a, b) => parseFloat(a.style.top) - parseFloat(b.style.top))
      .map((line) => [...line.querySelectorAll('.cdr')].map((mark) => getComputedStyle(mark)).find((style) => style.borderLeftWidth === '3px')?.borderLeftColor ?? '')
      .map((color) => (color === 'rgba(0, 0, 0, 0)' ? '' : color))`)) as string[];
  /** A color of the theme by its name, as `borders` has it. */
  const themeColor = async (name: string): Promise<string> =>
    (await driver.evaluate(`(() => {
      const probe = document.querySelector('.monaco-workbench').appendChild(document.createElement('i'));
      probe.style.color = 'var(--vscode-sessionTree-${name})';
      const { color } = getComputedStyle(probe);
      probe.remove();
      return color;
    })()`)) as string;
  const untilHovered = (): Promise<string> => untilMatches(() => hoverText(7), /must close/);

  it('shows the session of the current line at its end', async () => {
    const editor = await show();
    await untilHovered();
    assert.deepEqual(await run('toggleSessionBlame', { on: true }), { on: true });
    try {
      editor.selection = new vscode.Selection(1, 0, 1, 0);
      const shown = async (): Promise<string> =>
        (await decorated('after')).map((text, line) => (text === '' ? '' : `${line}: ${text}`)).join('');
      assert.match(await untilMatches(shown, /Make a/), /^1: Make a door.* · Doors · Jan 2, 2026$/);
      await driver.screenshot('line-origins-blame.png');
      editor.selection = new vscode.Selection(7, 0, 7, 0);
      await untilMatches(shown, /^7: It must close, too · Closing/);
      editor.selection = new vscode.Selection(5, 0, 5, 0);
      await untilEqual(shown, '');
      editor.selection = new vscode.Selection(1, 2, 1, 2);
      await untilMatches(shown, /Make a/);
      await driver.type('x');
      await untilEqual(shown, '');
    } finally {
      assert.deepEqual(await run('toggleSessionBlame'), { on: false });
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });

  it('annotates the lines of a file by session, and follows typing', async () => {
    const editor = await show();
    await untilHovered();
    assert.deepEqual(await run('toggleSessionAnnotations'), { on: true });
    await untilEqual(columns, ANNOTATED);
    const [a, b] = [await themeColor('session1'), await themeColor('session2')];
    assert.notEqual(a, b);
    await untilEqual(borders, [a, a, a, a, '', '', b, b, b, '']);
    await driver.screenshot('line-origins-annotations.png');
    editor.selection = new vscode.Selection(1, 2, 1, 2);
    await driver.waitFor('.statusbar-item >> text=Ln 2, Col 3');
    await driver.type('x');
    await untilEqual(columns, TYPED);
    await vscode.commands.executeCommand('undo');
    await untilEqual(columns, ANNOTATED);
    assert.deepEqual(await run('toggleSessionHeatmap', { on: true }), { on: true });
    await untilMatches(columns, /^( ?Jan 2.*\n){4}\n/);
    await driver.screenshot('line-origins-heatmap.png');
    assert.deepEqual(await run('toggleSessionHeatmap'), { on: false });
    await untilEqual(columns, Array(10).fill('').join('\n'));
  });

  it('changes the annotations of a file once while a person types quickly', async () => {
    const editor = await show();
    await untilHovered();
    assert.deepEqual(await run('toggleSessionAnnotations'), { on: true });
    await untilEqual(columns, ANNOTATED);
    editor.selection = new vscode.Selection(1, 2, 1, 2);
    await driver.waitFor('.statusbar-item >> text=Ln 2, Col 3');
    const before = (await driver.evaluate(decorations('before'))) as string[];
    await driver.evaluate(`(() => {
      window.shownColumns = [];
      const look = () => {
        const shown = JSON.stringify(${decorations('before')});
        if (shown !== window.shownColumns.at(-1)) window.shownColumns.push(shown);
        window.nextLook = requestAnimationFrame(look);
      };
      look();
    })()`);
    await driver.type('open(1); open(2); open(3); ');
    await untilEqual(columns, TYPED);
    // The origins of the new text, which are found after a pause.
    await untilMatches(() => hoverText(2), /Make a/);
    assert.equal(await hoverText(1), '');
    await untilEqual(columns, TYPED);
    const shown = (await driver.evaluate('cancelAnimationFrame(window.nextLook), window.shownColumns')) as string[];
    const [first, ...later] = shown.map((texts) => JSON.parse(texts) as string[]);
    assert.deepEqual([first, later.length], [before, 1]);
    // A line without a column would jump to the left.
    assert.equal(later[0]?.includes(''), false);
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('colors the lines of a file by their age', async () => {
    const days = [400, 100, 20, 3, 0];
    const lines = days.map((age) => `const days${age} = begin();\n`);
    const aged = session({ cwd: own.cwd }).user('One more');
    for (const [place, line] of lines.entries()) {
      const time = Date.now() - days[place]! * 86_400_000;
      const given = { timestamp: new Date(time).toISOString(), message: { timestamp: time } };
      const before = lines[place - 1];
      if (before === undefined) aged.tool('write', { path: 'aged.js', content: line }, 'Wrote', given);
      else aged.tool('edit', { path: 'aged.js', oldText: before, newText: before + line }, 'Edited', given);
    }
    file = join(own.cwd, 'aged.js');
    await writeFile(file, `mine();\n${lines.join('')}`);
    await own.put('aged', aged);
    await show();
    await untilMatches(() => hoverText(5), /One more/);
    assert.deepEqual(await run('toggleSessionHeatmap'), { on: true });
    const colors = await Promise.all([5, 4, 3, 2, 1].map((heat) => themeColor(`heat${heat}`)));
    assert.equal(new Set(colors).size, 5);
    await untilEqual(borders, ['', ...colors, '']);
    assert.match(
      (await decorated('before')).map((text) => text.trim()).join(' · '),
      /^ · [A-Z][a-z]{2} \d{4}( · [A-Z][a-z]{2} \d{1,2}){2} · 3d · now · $/,
    );
    await driver.screenshot('line-origins-ages.png');
    assert.deepEqual(await run('toggleSessionHeatmap'), { on: false });
    await untilEqual(borders, Array(7).fill(''));
  });

  it('says so where no session wrote a line', async () => {
    const other = join(own.cwd, 'other.js');
    await writeFile(other, 'mine();\n');
    await vscode.window.showTextDocument(vscode.Uri.file(other));
    assert.deepEqual(await run('toggleSessionAnnotations'), { on: false });
    await driver.waitFor('.notification-toast >> text=No session is known to have written a line of this file.');
    await vscode.commands.executeCommand('notifications.clearAll');
  });

  it('lists the sessions of a file’s lines, and opens the context of one', async () => {
    await show();
    await untilHovered();
    const sessions = await run<{ title: string; letter: string; lines: number }[]>('sessionsOfLines', { file });
    assert.deepEqual(
      sessions.map(({ title, letter, lines }) => [title, letter, lines]),
      [
        ['Closing', 'B', 3],
        // The bracket is likely its; the blank line after it may be of either.
        ['Doors', 'A', 4],
      ],
    );
    assert.equal((await run<unknown[]>('sessionsOfLines', { file, from: 1, to: 5 })).length, 1);
    const picked = run('sessionsOfLines');
    await driver.waitFor('.quick-input-list .monaco-list-row >> text=B · Closing');
    await driver.screenshot('line-origins-legend.png');
    await driver.pick('A · Doors');
    await picked;
    await untilEqual(() => vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'Doors');
  });

  it('shows above functions and classes which sessions wrote them', async () => {
    const range = (from: number, to: number): vscode.Range => new vscode.Range(from, 0, to, 1);
    const symbol = (name: string, kind: vscode.SymbolKind, lines: vscode.Range): vscode.DocumentSymbol =>
      new vscode.DocumentSymbol(name, '', kind, lines, lines);
    const doors = symbol('Doors', vscode.SymbolKind.Class, range(0, 8));
    doors.children = [
      symbol('openDoor', vscode.SymbolKind.Function, range(1, 3)),
      symbol('comment', vscode.SymbolKind.Function, range(5, 5)),
      symbol('constant', vscode.SymbolKind.Constant, range(6, 6)),
      symbol('closeDoor', vscode.SymbolKind.Method, range(7, 7)),
    ];
    const symbols = vscode.languages.registerDocumentSymbolProvider({ scheme: 'file' }, { provideDocumentSymbols: () => [doors] });
    const lenses = async (): Promise<string[]> => {
      const found = await vscode.commands.executeCommand<vscode.CodeLens[]>('vscode.executeCodeLensProvider', vscode.Uri.file(file), 10);
      return found
        .filter(({ command }) => command?.command === 'sessionTree.sessionsOfLines')
        .map((lens) => `${lens.range.start.line}: ${lens.command!.title}`)
        .sort();
    };
    await show();
    await untilHovered();
    atEnd(() => symbols.dispose());
    assert.deepEqual(await lenses(), []);
    await changeSetting('sessionTree.lineOrigins.codeLens', true);
    await untilEqual(lenses, ['0: 2 sessions, last: Closing', '1: 1 session: Doors', '7: 1 session: Closing']);
    await driver.waitFor('.codelens-decoration a >> text=2 sessions, last: Closing');
    await driver.screenshot('line-origins-codelens.png');
    await driver.click('.codelens-decoration a >> text=1 session: Doors');
    await untilEqual(() => vscode.window.tabGroups.activeTabGroup.activeTab?.label, 'Doors');
    await changeSetting('sessionTree.lineOrigins.codeLens', undefined);
    await untilEqual(lenses, []);
  });
});
