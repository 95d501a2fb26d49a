import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

/** Returns a file of the package with what it loads; `later` includes what it loads when that is first needed. */
function loadedBy(entry: string, { later }: { readonly later: boolean }): Set<string> {
  const found = new Set([entry]);
  for (const file of found) {
    if (!file.startsWith('./')) continue;
    const text = readFileSync(resolve('dist', file), 'utf8');
    for (const { 1: name = '', index } of text.matchAll(/\brequire\("([^"]+)"\)/g)) {
      // An `import()` is built as `Promise.resolve().then(() => __toESM(require("…")))`.
      if (later || !text.slice(Math.max(0, index - 40), index).includes('.then(')) found.add(name);
    }
  }
  return found;
}

describe('The files of the code', () => {
  it('that the start loads are few', () => {
    const files = (entry: string, later: boolean) => [...loadedBy(entry, { later })].filter((file) => file.startsWith('./'));
    const connect = files('./extension.js', true).find((file) => file.startsWith('./connect-')) ?? '';
    // What `connect` shares with the code that is loaded right before it, with threads, with the command line and with the tools of
    // agents are files of their own.
    assert.ok(files(connect, false).length <= 13, files(connect, false).join('\n'));
    assert.ok(files('./extension.js', true).length > 20, files('./extension.js', true).join('\n'));
  });

  it('that the activation itself loads are small', () => {
    const sizes = [...loadedBy('./extension.js', { later: false })]
      .filter((file) => file.startsWith('./'))
      .map((file) => readFileSync(resolve('dist', file)).length);
    const size = sizes.reduce((sum, each) => sum + each, 0);
    assert.ok(size < 32 * 1024, `${size} bytes`);
  });

  it('that a context view loads are without the one that draws Markdown, which only searches need', () => {
    const view = [...loadedBy('./extension.js', { later: true })].find((file) => file.startsWith('./contextView-')) ?? '';
    const files = [...loadedBy(view, { later: false })].filter((file) => file.startsWith('./'));
    assert.ok(!files.includes('./markdown-it.js'), files.join('\n'));
    assert.ok(readFileSync(resolve('dist', view), 'utf8').includes('"./markdown-it.js"'));
  });

  it('that are loaded at once take one byte per character', () => {
    // esbuild writes other characters in strings as escapes, but not those in regular expressions.
    for (const entry of ['./extension.js', './catalogWorker.js'])
      for (const file of [...loadedBy(entry, { later: false })].filter((name) => name.startsWith('./'))) {
        const [wide] = /.{0,60}[^\0-\xFF]/u.exec(readFileSync(resolve('dist', file), 'utf8')) ?? [];
        assert.equal(wide, undefined, file);
      }
  });

  it('that other threads load do without the editor', () => {
    assert.ok(loadedBy('./extension.js', { later: false }).has('vscode'));
    for (const thread of ['./catalogWorker.js', './databaseWorker.js', './processWorker.js', './redactionWorker.js']) {
      const files = loadedBy(thread, { later: true });
      assert.ok(files.has('node:worker_threads') && !files.has('vscode') && !files.has('./extension.js'), [...files].join('\n'));
    }
  });
});
