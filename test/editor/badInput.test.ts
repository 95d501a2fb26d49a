import assert from 'node:assert/strict';
import { statSync, utimesSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as vscode from 'vscode';
import { session } from '../fixtures/build';
import { barChart } from '../fixtures/sample/chart';
import { another } from './externalProcess';
import type { Frame } from './playwright';
import { scrollMessages, until } from './contextPage';
import { driver } from './driver';
import { editorSuite, own, show } from './editorSuite';
import { untilEqual, untilMatches } from './waiting';

describe('bad input in the context view', () => {
  editorSuite();

  const opened = async (ref: object): Promise<Frame> => {
    await show(ref);
    return driver.frame('pi-session-tree');
  };
  const waitFor = (text: string, frame: Frame): Promise<void> => driver.waitFor(text, {}, frame);

  it('reports that its entry is gone from a rewritten file, and moves to the leaf', async () => {
    const path = await own.put(
      'rewritten',
      session({ cwd: own.cwd }).user('First', { id: 'first' }).assistant('Stood here', { id: 'stood' }).user('More'),
    );
    const frame = await opened({ path, entryId: 'stood' });
    await driver.waitFor('article >> text=Stood here', {}, frame);
    await another.write(path, session({ cwd: own.cwd }).user('Another file', { id: 'other' }).text());
    await waitFor('.warning >> text=This session has no entry stood.', frame);
    await untilMatches(() => driver.text('main', frame), /Stood here/);
    await driver.click('text=Go to Current Leaf', frame);
    await driver.waitFor('article >> text=Another file', {}, frame);
    await driver.waitFor('.warning', { state: 'detached' }, frame);
  });

  it('shows the new content of a file that was rewritten with the same number of bytes', async () => {
    const path = await own.put('same', session({ cwd: own.cwd }).user('Twelve words', { id: 'a' }).assistant('Yes.', { id: 'b' }));
    const frame = await opened({ path });
    await driver.waitFor('article >> text=Twelve words', {}, frame);
    await another.write(path, (await readFile(path, 'utf8')).replace('Twelve words', 'Eleven words'));
    await waitFor('article >> text=Eleven words', frame);
  });

  it('follows a file that shrank', async () => {
    const builder = session({ cwd: own.cwd }).user('One', { id: 'one' }).assistant('Two', { id: 'two' });
    const length = Buffer.byteLength(builder.text());
    const path = await own.put('shrinks', builder.user('Three').assistant('Four'));
    const frame = await opened({ path });
    await driver.waitFor('article >> text=Four', {}, frame);
    await truncate(path, length);
    await until(
      frame,
      '!document.querySelector("main").innerText.includes("Four") && document.querySelector("main").innerText.includes("Two")',
    );
    await driver.waitFor('.warning', { state: 'detached' }, frame);
    // Truncates the file in the middle of a line, and to nothing.
    await truncate(path, length - 10);
    await waitFor('.problems >> text=Problems in the file', frame);
    await untilEqual(
      () => driver.text('.problems', frame),
      'Problems in the file: The last line (3) isn’t complete. It’s read again when the file grows.',
    );
    await untilMatches(() => driver.text('main', frame), /One/);
    await truncate(path, 0);
    await waitFor('.warning', frame);
    assert.match(await driver.text('.warning', frame), /empty/i);
    await untilMatches(() => driver.text('main', frame), /One/);
  });

  it('reports at a message that it can’t be read any more, and reads the rest', async () => {
    const builder = session({ cwd: own.cwd });
    for (let turn = 1; turn <= 150; turn++)
      builder.user(`Question ${turn} ${'x'.repeat(300)}`, { id: `q${turn}` }).assistant(`Answer ${turn}`);
    const path = await own.put('half', builder);
    const frame = await opened({ path });
    await driver.waitFor('article >> text=Answer 150', {}, frame);
    // Replaces content that isn't displayed yet. The change goes unnoticed, because the file's length and time stay the
    // same.
    const text = await readFile(path, 'utf8');
    const { mtime, atime } = statSync(path);
    const at = text.indexOf('{"type":"message","id":"q20"');
    // Synchronously, so that no refresh runs between the two calls.
    writeFileSync(path, `${text.slice(0, at)}${'#'.repeat(200)}${text.slice(at + 200)}`);
    utimesSync(path, atime, mtime);
    await scrollMessages(frame, 'main.scrollHeight * 37 / 300');
    await until(frame, '!document.querySelector(".placeholder") && document.querySelector("main").innerText.includes("Answer 20")');
    await scrollMessages(frame, 'main.scrollTop - 300');
    await waitFor('article[data-entry=q20] .error-note', frame);
    assert.match(await driver.text('article[data-entry=q20] .error-note', frame), /changed/i);
    await untilMatches(() => driver.text('main', frame), /Answer 19[^]*Answer 20/);
  });

  it('reports that a file is gone, and shows it again when it is back', async () => {
    const builder = session({ cwd: own.cwd }).user('Here', { id: 'here' }).assistant('Yes.');
    const path = await own.put('comes-back', builder);
    const frame = await opened({ path });
    await rm(path);
    await waitFor('.warning >> text=This session file doesn’t exist', frame);
    assert.equal(await driver.find('.warning', frame).getAttribute('role'), 'alert');
    await untilMatches(() => driver.text('main', frame), /Yes\./);
    await own.put('comes-back', builder.user('Back again'));
    await waitFor('article >> text=Back again', frame);
    await driver.waitFor('.warning', { state: 'detached' }, frame);
  });

  it('reports at each image why it can’t be shown: gone, damaged, no data, of another type', async () => {
    const { data } = barChart([0.4]) as { data: string };
    const folder = join(own.cwd, 'agent');
    await mkdir(join(folder, 'blobs'), { recursive: true });
    await mkdir(join(folder, 'sessions', 'x'), { recursive: true });
    const [damaged, gone] = ['a', 'b'].map((digit) => `5678${digit.repeat(60)}`) as [string, string];
    await writeFile(join(folder, 'blobs', damaged), 'This is no image, whatever it is called.');
    const image = (data: string, mimeType = 'image/png'): object => ({ type: 'image', mimeType, data });
    const path = join(folder, 'sessions', 'x', 's.jsonl');
    await writeFile(
      path,
      session({ title: 'Images', cwd: own.cwd })
        .user([
          image(`blob:sha256:${gone}`),
          image(`blob:sha256:${damaged}`),
          image('%%% no base64'),
          image(data.slice(0, 40)),
          image(''),
          image('AAAA', 'image/tiff'),
          image(data),
        ])
        .text(),
    );
    const frame = await opened({ path });
    await until(frame, 'document.querySelectorAll(".image-missing").length === 6 && document.querySelector("img")?.naturalWidth === 240');
    const damagedText = 'Can’t show this image because its data is damaged.';
    assert.deepEqual(await driver.texts('.image-missing', frame), [
      'This image’s file no longer exists.',
      damagedText,
      damagedText,
      damagedText,
      'This image has no data.',
      'Can’t show images of type image/tiff.',
    ]);
  });

  it('reports a compaction whose first kept entry is missing, and a label without a target', async () => {
    const builder = session({ cwd: own.cwd })
      .user('Before', { id: 'before' })
      .compaction('They talked.', 'nowhere')
      .assistant('After')
      .label('nothing', 'lost')
      .contextEdit('nothing', null);
    const frame = await opened({ path: await own.put('unknown', builder) });
    await driver.waitFor('.divider >> text=The first message to keep isn’t in the file (nowhere)', {}, frame);
    await driver.click('text=Full transcript', frame);
    await driver.waitFor('article.entry-row >> text=After', { state: 'detached' }, frame);
    await driver.waitFor('article.entry-row >> text=Label “lost”', {}, frame);
    await untilEqual(
      () => driver.texts('article.entry-row .row-text', frame),
      [
        'Compacted; the context had 12,345 tokens. The first message to keep isn’t in the file (nowhere), so no earlier messages are kept',
        'Label “lost”: an entry that isn’t in the file (nothing)',
        'Removed from context: an entry that isn’t in the file (nothing)',
      ],
    );
  });

  it('reports that a session with only a header has no messages, and why a file is not a session', async () => {
    const frame = await opened({ path: await own.put('alone', session({ cwd: own.cwd })) });
    await until(frame, 'document.querySelector("main").classList.contains("is-empty")');
    assert.match(
      String(await driver.evaluate('getComputedStyle(document.querySelector("main"), "::before").content', frame)),
      /No messages yet\./,
    );
    assert.match(await driver.text('header.header', frame), /\(no messages\)[^]*Current leaf[^]*none yet/);
    assert.equal(await driver.find('.disclosure', frame).isVisible(), true);
    await driver.click('.disclosure', frame);
    await driver.waitFor('.details >> text=No response on this branch recorded its usage.', {}, frame);
    await driver.click('text=Full transcript', frame);
    await until(frame, `document.querySelector('[data-key=transcript]').getAttribute('aria-pressed') === 'true'`);
    // The session is created, and followed.
    const path = join(own.folder, 'alone.jsonl');
    await another.append(path, `${session({ cwd: own.cwd }).user('The first word').lines()[1]!}\n`);
    await waitFor('article >> text=The first word', frame);
    await assert.rejects(Promise.resolve(show({ path: await own.put('empty', '') })), /empty/i);
  });

  it('reports that a linked file is gone, and that a line does not exist', async () => {
    await mkdir(join(own.cwd, 'src'), { recursive: true });
    const file = join(own.cwd, 'src', 'a.ts');
    const short = join(own.cwd, 'src', 'short.ts');
    await writeFile(file, 'one\n');
    await writeFile(short, 'one\ntwo');
    const builder = session({ cwd: own.cwd }).user('See `src/a.ts` and `src/short.ts:99`').tool('read', { path: 'src/a.ts' }, 'one');
    const frame = await opened({ path: await own.put('links', builder) });
    await until(frame, 'document.querySelectorAll(".path-link").length === 2 && !!document.querySelector(".tool-buttons > button")');
    await rm(file);
    await frame.getByRole('button', { name: 'Open src/a.ts', exact: true }).last().focus();
    await driver.press('Enter');
    await driver.waitFor('summary .path-gone >> text=This file no longer exists.', {}, frame);
    await driver.waitFor('p .path-gone >> text=This file no longer exists.', {}, frame);
    await untilEqual(() => driver.texts('.path-link, .tool-buttons > button', frame), ['src/short.ts:99']);
    await untilMatches(() => driver.text('[role=status].visually-hidden', frame), /no longer exists/);
    await driver.click('.path-link', frame);
    await driver.waitFor('.statusbar-item >> text=Line 99 no longer exists; short.ts has 2 lines.');
    await untilEqual(() => vscode.window.activeTextEditor?.document.uri.fsPath, short);
  });
});
