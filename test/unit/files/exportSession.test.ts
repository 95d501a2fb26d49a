import assert from 'node:assert/strict';
import { appendFile, link, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import {
  exportSession,
  fileImages,
  freeExportPath,
  readSession,
  type ExportOptions,
  type ExportResult,
  type Session,
} from '../../../src/core/index';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { PNG } from '../../fixtures/pictures';
import { isRefusal } from '../../fixtures/refusals';

describe('exportSession', () => {
  const folder = testFolder();
  let exports = 0;
  const at = (name: string): string => join(folder.path, name);
  const written = async (text: string, options: Partial<ExportOptions> = {}): Promise<ExportResult & { session: Session }> => {
    const source = await readSession(await folder.write('a.jsonl', text));
    const result = await exportSession(source, { format: 'jsonl', target: at(`out-${String(exports++)}.jsonl`), ...options });
    return { ...result, session: await readSession(result.path) };
  };
  const shape = ({ entries }: Session): unknown => entries.map(({ id, parentId, type }) => [id, parentId, type]);
  const branches = (): string =>
    session()
      .user('one')
      .assistant('two')
      .user('three')
      .branchFrom(entryId(2))
      .user('four')
      .assistant('five')
      .label(entryId(3), 'old')
      .text();

  it('keeps ids, the tree, labels and the leaf', async () => {
    const { session: all, path, bytes, redacted, problems } = await written(branches());
    const source = await readSession(at('a.jsonl'));
    assert.deepEqual(shape(all), shape(source));
    assert.equal(all.leafId, source.leafId);
    assert.deepEqual([...all.labels], [...source.labels]);
    assert.equal(all.header.id, source.header.id);
    assert.equal(bytes, (await readFile(path)).length);
    assert.deepEqual([redacted, problems], [[], []]);
  });

  it('exports one branch, with the labels that others gave it', async () => {
    const text = session()
      .user('one')
      .assistant('two')
      .user('three')
      .label(entryId(3), 'good')
      .branchFrom(entryId(2))
      .user('four')
      .label(entryId(2), 'fork')
      .text();
    const { session: active } = await written(text, { branches: 'active' });
    assert.deepEqual([...active.byId.keys()], [entryId(1), entryId(2), entryId(5), entryId(6)]);
    const { session: other } = await written(text, { entryId: entryId(3) });
    assert.deepEqual(
      other.entries.map(({ id, parentId }) => [id, parentId]),
      [
        [entryId(1), null],
        [entryId(2), entryId(1)],
        [entryId(3), entryId(2)],
        [entryId(6), entryId(3)],
        [entryId(4), entryId(6)],
      ].map((_, index, rows) => (index < 3 ? rows[index] : other.entries.map(({ id, parentId }) => [id, parentId])[index])),
    );
    assert.deepEqual(
      new Map(other.labels),
      new Map([
        [entryId(2), 'fork'],
        [entryId(3), 'good'],
      ]),
    );
    await assert.rejects(written(text, { entryId: 'nothing' }), isRefusal('unknown-entry', /nothing/));
  });

  it('leaves entries out and hangs their children off the entry above, with the results of left out calls', async () => {
    const text = session().user('one').tool('read', { path: 'a' }).user('two').assistant('three').label(entryId(2), 'x').text();
    const { session: less } = await written(text, { leaveOut: [entryId(2), entryId(5)] });
    assert.deepEqual(shape(less), [
      [entryId(1), null, 'message'],
      [entryId(4), entryId(1), 'message'],
    ]);
    assert.equal(less.leafId, entryId(4));
  });

  it('moves the beginning of what a compaction kept past an entry that is left out', async () => {
    const text = session()
      .user('one')
      .user('two')
      .user('three')
      .entry('compaction', { summary: 's', firstKeptEntryId: entryId(2), tokensBefore: 1 })
      .text();
    const { session: less } = await written(text, { leaveOut: [entryId(2)] });
    assert.equal(less.byId.get(entryId(4))?.firstKeptEntryId, entryId(3));
  });

  it('marks the leaf if it isn’t the last line', async () => {
    const text = session().user('one').assistant('two').user('three').branchFrom(entryId(1)).user('four').text();
    const { session: less } = await written(text, { leaveOut: [entryId(4)] });
    assert.equal(less.byId.get(less.leafId ?? '')?.parentId, entryId(1));
  });

  it('leaves everything as it is without redaction', async () => {
    const secret = ['gh', 'p_', 'aB3'.repeat(12)].join('');
    const text = session().user(secret).text();
    const { redacted, path } = await written(text, { redact: false });
    assert.deepEqual(redacted, []);
    assert.equal((await readFile(path, 'utf8')).split('\n')[1], text.split('\n')[1]);
  });

  it('upgrades the lines of old versions, with the ids that were shown', async () => {
    const lines = [
      '{"type":"session","id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/x"}',
      '{"type":"message","timestamp":"","message":{"role":"user","content":"a"}}',
      '{"type":"message","timestamp":"","message":{"role":"user","content":"b"}}',
    ];
    const { session: now } = await written(`${lines.join('\n')}\n`);
    assert.equal(now.version, 3);
    assert.deepEqual(shape(now), shape(await readSession(at('a.jsonl'))));
  });

  it('exports torn and damaged sessions as far as they go, and says what is missing', async () => {
    const [header = '', one = '', two = '', three = ''] = session().user('one').user('two').user('three').text().split('\n');
    const text = `${header}\n${one}\nnot json\n${two.slice(0, -5)}\n${three}\n{"type":"mess`;
    const { session: rest, problems } = await written(text);
    assert.deepEqual(shape(rest), [
      [entryId(1), null, 'message'],
      [entryId(3), entryId(1), 'message'],
    ]);
    assert.deepEqual(
      problems.map(({ code, line }) => [code, line]),
      [
        ['bad-line', 3],
        ['damaged-line', 4],
        ['torn-line', 6],
      ],
    );
  });

  it('refuses the session itself under any name, whatever is asked for', async () => {
    const path = await folder.write('a.jsonl', branches());
    const source = await readSession(path);
    await symlink(path, at('symbolic'));
    await link(path, at('hard'));
    await symlink(folder.path, at('folder'));
    const before = await readFile(path);
    for (const target of [path, at('symbolic'), at('hard'), at('folder/a.jsonl'), at('./x/../a.jsonl')])
      await assert.rejects(
        exportSession(source, { format: 'jsonl', target, overwrite: true }),
        isRefusal('invalid', /session that it’s made of/),
        target,
      );
    assert.deepEqual(await readFile(path), before);
  });

  it('replaces only files, and only on request', async () => {
    const source = await readSession(await folder.write('a.jsonl', branches()));
    const other = await folder.write('other.jsonl', branches());
    const file = await folder.write('notes.txt', 'mine');
    await mkdir(at('folder'));
    const run = (target: string, overwrite: boolean): Promise<unknown> => exportSession(source, { format: 'jsonl', target, overwrite });
    await assert.rejects(run(file, false), isRefusal('invalid', /already exists/));
    await assert.rejects(run(other, true), isRefusal('invalid', /is a session/));
    await assert.rejects(run(at('folder'), true), isRefusal('invalid', /Only a file/));
    await assert.rejects(run('relative.jsonl', false), isRefusal('invalid', /absolute/));
    assert.equal(await readFile(file, 'utf8'), 'mine');
    await run(file, true);
    assert.ok((await readFile(file, 'utf8')).startsWith('{"type":"session"'));
  });

  it('never replaces what is or may be a session, also an export that was continued', async () => {
    const source = await readSession(await folder.write('a.jsonl', branches()));
    const { path: own } = await exportSession(source, { format: 'jsonl', target: at('own.jsonl') });
    await appendFile(own, `${session().user('a day of work').text().split('\n')[1] ?? ''}\n`);
    const claude = '{"type":"user","uuid":"u","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"x"}}\n';
    const targets = [
      own,
      await folder.write('marked.jsonl', session({ exportedBy: 'pi-session-tree' }).user('x').text()),
      await folder.write('title.jsonl', `{"type":"title","title":"x"}\n`),
      await folder.write('late.jsonl', `torn\n\n${branches()}`),
      await folder.write('mark.jsonl', `\uFEFF${branches()}`),
      await folder.write('long.jsonl', session({ more: 'x'.repeat(70_000) }).text()),
      await folder.write('claude.jsonl', claude),
      await folder.write('codex.jsonl', '{"timestamp":"","type":"session_meta","payload":{"id":"x"}}\n'),
      await folder.write('state.db', `SQLite format 3\0${'\0'.repeat(100)}`),
      await folder.write('a.jsonl.gz', gzipSync(branches())),
    ];
    for (const target of targets) {
      const before = await readFile(target);
      await assert.rejects(
        exportSession(source, { format: 'markdown', target, overwrite: true }),
        isRefusal('invalid', /is a session, or may hold one\. Choose another name/),
        target,
      );
      assert.deepEqual(await readFile(target), before);
    }
  });

  it('replaces an export as HTML or Markdown', async () => {
    for (const name of ['markdown-it.js', 'page.js', 'page.css', 'export.css']) await folder.write(name, '/**/');
    const source = await readSession(await folder.write('a.jsonl', branches()));
    for (const format of ['html', 'markdown'] as const)
      for (const overwrite of [false, true])
        await exportSession(source, { format, target: at(`out.${format}`), overwrite, pageFolder: folder.path });
  });

  it('suggests a name that nothing has', async () => {
    assert.equal(await freeExportPath(folder.path, 'x', 'md'), at('x.md'));
    await folder.write('x.md', '');
    await symlink(at('nothing'), at('x 2.md'));
    assert.equal(await freeExportPath(folder.path, 'x', 'md'), at('x 3.md'));
  });

  it('leaves nothing behind when it’s canceled, and keeps what was there', async () => {
    const target = await folder.write('out.jsonl', 'old');
    const before = await readdir(folder.path);
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new Error('canceled'));
    const lines = session();
    for (let count = 0; count < 3000; count++) lines.user('word '.repeat(100));
    const long = await readSession(await folder.write('long.jsonl', lines.text()));
    await assert.rejects(
      exportSession(long, { format: 'jsonl', target, overwrite: true, signal: controller.signal, onProgress }),
      /canceled/,
    );
    assert.deepEqual((await readdir(folder.path)).sort(), [...before, 'long.jsonl'].sort());
    assert.equal(await readFile(target, 'utf8'), 'old');
  });

  it('writes all branches as Markdown for GitHub, redacted, with their fork points and folded tool calls', async () => {
    const secret = ['gh', 'p_', 'aB3'.repeat(12)].join('');
    const text = session()
      .user('one')
      .tool('read</summary>', { path: secret })
      .user('two')
      .branchFrom(entryId(1))
      .assistant(`# five <b> ${secret}`)
      .text();
    const source = await readSession(await folder.write('a.jsonl', `${text}broken`));
    const target = at('out.md');
    const { redacted, bytes } = await exportSession(source, { format: 'markdown', target });
    const markdown = await readFile(target, 'utf8');
    assert.equal(bytes, Buffer.byteLength(markdown));
    assert.ok(!markdown.includes(secret) && redacted.length === 2, markdown);
    assert.match(markdown, /^> 1 lines of the session couldn’t be read/m);
    assert.match(markdown, /^## Assistant.*\n\n.*five/m);
    assert.match(markdown, /^# Branch: .*\n\n\*after `e0000001`\*$/m);
    assert.match(markdown, /<details>\n<summary>Tool <code>read&#60;\/summary&#62;<\/code><\/summary>\n\n[^]*\n\n<\/details>/);
    assert.ok(!markdown.includes('<b>'));
    assert.deepEqual((await readdir(folder.path)).sort(), ['a.jsonl', 'out.md']);
    const one = await exportSession(source, { format: 'markdown', target, branches: 'active', overwrite: true });
    assert.ok(!(await readFile(one.path, 'utf8')).includes('# Branch:'));
  });

  it('writes HTML of the redacted lines, under a redacted title', async () => {
    const secret = ['gh', 'p_', 'aB3'.repeat(12)].join('');
    for (const name of ['markdown-it.js', 'page.js', 'page.css', 'export.css']) await folder.write(name, '/**/');
    const source = await readSession(await folder.write('a.jsonl', session().user(`use ${secret}`).assistant('yes').text()));
    const { redacted } = await exportSession(source, { format: 'html', target: at('out.html'), pageFolder: folder.path });
    const html = await readFile(at('out.html'), 'utf8');
    assert.ok(!html.includes(secret));
    assert.match(html, /<title>[^<]*use \[redacted:github-token-1\]/);
    assert.ok(html.includes('e0000002') && !html.includes('exportFacts'));
    // The title repeats a text of the session.
    assert.deepEqual(
      redacted.map(({ field }) => field),
      ['message.content'],
    );
    await folder.write('page.texts.json', '["Messages"]');
    const look = { language: 'de', translations: { Messages: 'Nachrichten', Other: 'Anderes' }, translate: () => 'Ohne JavaScript' };
    const other = await exportSession(source, { format: 'html', target: at('de.html'), pageFolder: folder.path, ...look });
    const german = await readFile(other.path, 'utf8');
    assert.match(german, /^<!DOCTYPE html>\n<html lang="de">[^]*Ohne JavaScript[^]*"translations":\{"Messages":"Nachrichten"\}/);
  });

  it('puts images of oh-my-pi into HTML, and nothing else that is in their place', async () => {
    for (const name of ['markdown-it.js', 'page.js', 'page.css', 'export.css']) await folder.write(name, '/**/');
    const png = Buffer.from(PNG, 'base64');
    const hashes = ['a', 'b', 'c', 'd', 'e'].map((digit) => digit.repeat(64));
    await mkdir(at('blobs'));
    await writeFile(at(`blobs/${hashes[0]!}`), png);
    await writeFile(at(`blobs/${hashes[1]!}`), 'a secret text '.repeat(9));
    await writeFile(at(`blobs/${hashes[2]!}`), Buffer.concat([png, Buffer.alloc(8 * 1024 * 1024)]));
    // The beginning of a picture alone makes none.
    await writeFile(at(`blobs/${hashes[4]!}`), Buffer.concat([png.subarray(0, 60), Buffer.from('a secret text '.repeat(9))]));
    await mkdir(at(`blobs/${hashes[3]!}`));
    const images = hashes.map((hash) => ({ type: 'image', mimeType: 'image/png', data: `blob:sha256:${hash}` }));
    const source = await readSession(
      await folder.write(
        'a.jsonl',
        session()
          .user([...images, { type: 'text', text: images[0]!.data }])
          .text(),
      ),
    );
    await exportSession(source, { format: 'html', target: at('out.html'), pageFolder: folder.path });
    const html = await readFile(at('out.html'), 'utf8');
    assert.equal(html.split(png.toString('base64')).length - 1, 1);
    for (const hash of hashes) assert.ok(html.includes(`"blob:sha256:${hash}"`), hash.slice(0, 1));
    assert.ok(!html.includes(Buffer.from('a secret text').toString('base64')));
    assert.equal(html.split('iVBORw0KGgo').length - 1, 1);
    assert.equal(await fileImages(source, {}), hashes.length);
    await exportSession(source, { format: 'html', target: at('without.html'), pageFolder: folder.path, withoutFileImages: true });
    assert.ok(!(await readFile(at('without.html'), 'utf8')).includes(png.toString('base64')));
    await exportSession(source, { format: 'jsonl', target: at('out.jsonl') });
    assert.ok((await readFile(at('out.jsonl'), 'utf8')).includes(`"data":"blob:sha256:${hashes[0]!}"`));
  });

  describe('leaves no trace of an entry that is left out', () => {
    const html = async (text: string, leaveOut: readonly string[]): Promise<string> => {
      for (const name of ['markdown-it.js', 'page.js', 'page.css', 'export.css']) await folder.write(name, '/**/');
      const source = await readSession(await folder.write('a.jsonl', text));
      await exportSession(source, { format: 'html', target: at('out.html'), pageFolder: folder.path, leaveOut, overwrite: true });
      return readFile(at('out.html'), 'utf8');
    };

    it('in the title: its words, or the name that it gave', async () => {
      const text = session().user('falcon launch').assistant('yes').user('weather').entry('session_info', { name: 'orchid' }).text();
      assert.match(await html(text, [entryId(1)]), /<title>orchid</);
      const unnamed = await html(text, [entryId(1), entryId(4)]);
      assert.match(unnamed, /<title>weather</);
      assert.ok(!/falcon|orchid/.test(unnamed));
    });

    it('in oh-my-pi’s header', async () => {
      const builder = (title: string) => session({ title, titleSource: 'auto' }).user('falcon launch at ten').user('weather');
      for (const [text, out] of [
        [builder('orchid').entry('title_change', { title: 'orchid' }).text(), entryId(3)],
        [builder('Falcon launch').text().replace('Falcon', 'falcon'), entryId(1)],
      ] as const) {
        const { session: less } = await written(text, { leaveOut: [out] });
        assert.deepEqual([less.name, less.dialect], [undefined, 'omp']);
        assert.ok(!/falcon launch"|orchid/.test(await readFile(less.path, 'utf8')));
      }
      assert.equal((await written(builder('orchid').text(), { leaveOut: [entryId(1)] })).session.name, 'orchid');
    });

    it('in the copies that a compaction kept, and in the labels that others gave', async () => {
      const text = session()
        .user('falcon')
        .label(entryId(1), 'x')
        .user('weather')
        .entry('compaction', {
          summary: 's',
          firstKeptEntryId: entryId(3),
          tokensBefore: 1,
          retainedTail: [{ role: 'user', content: 'falcon' }],
        })
        .branchFrom(entryId(3))
        .label(entryId(3), 'orchid')
        .branchFrom(entryId(4))
        .user('on')
        .text();
      const whole = await written(text);
      assert.equal((await readFile(whole.path, 'utf8')).split('falcon').length, 3);
      const less = await written(text, { leaveOut: [entryId(1), entryId(5)], branches: 'active', target: at('less.jsonl') });
      assert.ok(!/falcon|orchid/.test(await readFile(less.path, 'utf8')));
      assert.equal(less.session.byId.get(entryId(4))?.firstKeptEntryId, entryId(3));
    });
  });

  it('rejects when the session was rewritten since it was read', async () => {
    const path = await folder.write('a.jsonl', branches());
    const source = await readSession(path);
    await writeFile(path, session().user('x').text());
    await assert.rejects(exportSession(source, { format: 'jsonl', target: at('out.jsonl') }), isRefusal('changed', /changed/));
    assert.deepEqual(await readdir(folder.path), ['a.jsonl']);
  });
});
