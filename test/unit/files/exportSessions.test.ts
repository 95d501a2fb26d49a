import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { exportName, readSession, BatchExport, type SessionFinding, type BatchChoices, type BatchFormat } from '../../../src/core/index';
import { exportNames } from '../../../src/core/files/export/batch/exportNames';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { TOKENS } from '../../fixtures/plantedSecrets';
import { isRefusal } from '../../fixtures/refusals';

describe('Exports of several sessions', () => {
  const folder = testFolder();
  const token = TOKENS['ghp']!();
  const at = (name: string): string => join(folder.path, name);
  const read = (path: string) => readSession(path);
  /** A password that only the first session names as one. */
  const password = ['hunter', '7zK', '_quartz'].join('');
  let paths: string[];

  beforeEach(async () => {
    const first = session({ id: 'aaaaaaaa', cwd: '/home/jane/shop' }).user(`use ${token}`).user(`password: "${password}"`);
    const second = session({ id: 'bbbbbbbb', cwd: '/home/jane/shop' }).user(`again ${password} and ${token}`).user('jane@corp.example.io');
    paths = [await folder.write('a.jsonl', first.text()), await folder.write('b.jsonl', second.text())];
  });

  const exported = async (format: BatchFormat, choices: BatchChoices = {}) => {
    const several = await BatchExport.open(paths, read, {});
    const findings: SessionFinding[] = [];
    for await (const finding of several.findings()) findings.push(finding);
    return { findings, ...(await several.write(at('out'), { format, pageFolder: await pageFolder() }, choices)) };
  };
  const pageFolder = async (): Promise<string> => {
    await mkdir(at('page'), { recursive: true });
    for (const name of ['markdown-it.js', 'page.js', 'page.css', 'export.css']) await folder.write(`page/${name}`, '/* page */');
    return at('page');
  };
  const text = (name: string): Promise<string> => readFile(join(at('out'), name), 'utf8');

  it('writes a file for each, and replaces what one of them gives away in all, by the same placeholder', async () => {
    const { files, failed, index, findings } = await exported('jsonl');
    assert.deepEqual([failed, index, files.map(({ session: path }) => path)], [[], undefined, paths]);
    const [one = '', two = ''] = await Promise.all(files.map(({ exported: { path } }) => readFile(path, 'utf8')));
    const placeholder = /password: \\"(\[redacted:[a-z-]+\d+\])/.exec(one)?.[1] ?? '';
    const tokenPlaceholder = /use (\[redacted:github-token-1\])/.exec(one)?.[1] ?? '';
    assert.ok(two.includes(`again ${placeholder} and ${tokenPlaceholder}`) && placeholder !== '', two);
    assert.ok(!`${one}${two}`.includes(password) && !`${one}${two}`.includes(token) && !`${one}${two}`.includes('/home/jane'));
    assert.ok(findings.some(({ path, entryId: id, rule }) => path === paths[1] && id === entryId(2) && rule === 'email'));
    assert.ok(!JSON.stringify(findings).includes('exportFacts'));
    for (const name of await readdir(at('out'))) assert.equal((await stat(join(at('out'), name))).mode & 0o777, 0o600);
  });

  it('lists the files in a page without secrets, that runs and loads nothing', async () => {
    paths.push(await folder.write('c.jsonl', session({ id: 'cccccccc', cwd: '/x"><script>' }).user('<img src=x> & [a](b)').text()));
    const { index = '', files } = await exported('html');
    assert.equal(basename(index), 'index.html');
    const page = await text('index.html');
    assert.match(page, /default-src 'none'; style-src 'sha256-[^']+'; base-uri 'none'/);
    assert.ok(
      page.includes('use [redacted:github-token-1]') && page.includes('&#60;img src=x&#62; &#38; [a](b)') && page.includes('/x&#34;&#62;'),
    );
    assert.ok(!/<(?:script|img)|jane|ghp_/.test(page), page);
    for (const { exported: one } of files) assert.ok(page.includes(`href="${basename(one.path)}"`));
    await rm(at('out'), { recursive: true });
    await exported('markdown');
    const readme = await text('README.md');
    assert.match(readme, /^# Sessions\n\n- \[/);
    assert.ok(readme.includes('&lt;img src=x&gt; &amp; \\[a\\](b)') && !readme.includes(token), readme);
  });

  it('makes a dataset as pi-share-hf uploads it, without what providers encrypted', async () => {
    const name = '2026-01-02T03-04-05-678Z_0199aaaa-0000-7000-8000-000000000001.jsonl';
    const thinking = { type: 'thinking', thinking: 'hm', thinkingSignature: 'c2VhbGVk'.repeat(9) };
    const opaque = { type: 'toolCall', id: 'c', name: 'read', arguments: { textSignature: '"\\u0022' }, thoughtSignature: 'c2VhbGVk' };
    const message = { role: 'assistant', content: [thinking, opaque, { type: 'text', text: '"textSignature"' }] };
    paths.push(await folder.write(name, session({ id: 'cccccccc' }).entry('message', { message }).text()));
    const { files, index = '' } = await exported('dataset');
    assert.equal(basename(index), 'README.md');
    assert.match(
      await text('README.md'),
      /^---\npretty_name: .*\n[^]*\n- agent-traces\n[^]*\nlicense: other\n---\n\n# .*\n\n.* 3 redacted sessions/,
    );
    const manifest = (await text('manifest.jsonl'))
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, string>);
    assert.deepEqual(
      manifest.map(({ file }) => file),
      [name, 'session-2026-01-02-aaaaaaaa.jsonl', 'session-2026-01-02-bbbbbbbb.jsonl'],
    );
    const hash = async (path: string): Promise<string> =>
      `sha256:${createHash('sha256')
        .update(await readFile(path))
        .digest('hex')}`;
    assert.deepEqual(manifest[0], { file: name, source_hash: await hash(paths[2]!), redacted_hash: await hash(join(at('out'), name)) });
    const before = await hash(paths[0]!);
    const grown = await BatchExport.open(paths, (each) => readSession(each), {});
    await appendFile(paths[0]!, '{"type":"message"');
    await grown.write(at('grown'), { format: 'dataset' }, {});
    assert.ok((await readFile(join(at('grown'), 'manifest.jsonl'), 'utf8')).includes(before), 'the hash is that of what was read');
    const { session: path, exported: last } = files[2]!;
    assert.equal(path, paths[2]);
    const lines = (await readFile(last.path, 'utf8')).trimEnd().split('\n');
    assert.deepEqual((JSON.parse(lines[1]!) as { message: unknown }).message, {
      role: 'assistant',
      content: [
        { ...thinking, thinkingSignature: '' },
        { ...opaque, arguments: { textSignature: '' }, thoughtSignature: '' },
        { type: 'text', text: '"textSignature"' },
      ],
    });
  });

  it('keeps and leaves out what was chosen, each in its session', async () => {
    const { findings } = await exported('jsonl');
    const email = findings.find(({ rule }) => rule === 'email')?.key ?? '';
    await rm(at('out'), { recursive: true });
    const { files } = await exported('jsonl', { keep: [email], leaveOut: [{ path: paths[0]!, entryId: entryId(1) }] });
    const [one = '', two = ''] = await Promise.all(files.map(({ exported: { path } }) => readFile(path, 'utf8')));
    assert.deepEqual([one.includes('use '), two.includes('again '), two.includes('jane@corp.example.io')], [false, true, true]);
  });

  it('replaces what is in the lines after one that is left out', async () => {
    paths = [await folder.write('c.jsonl', session({ id: 'cccccccc' }).user('nothing here').user('jane@corp.example.io').text())];
    const { files } = await exported('jsonl', { leaveOut: [{ path: paths[0]!, entryId: entryId(1) }] });
    const text = await readFile(files[0]!.exported.path, 'utf8');
    assert.deepEqual([text.includes('nothing here'), text.includes('[redacted:email-1]'), text.includes('jane@')], [false, true, false]);
  });

  it('says which sessions couldn’t be exported, and exports the others', async () => {
    const gone = at('gone.jsonl');
    paths.push(gone);
    const several = await BatchExport.open(paths, read, {});
    await writeFile(paths[1]!, session({ id: 'other' }).user('rewritten').text());
    const { files, failed } = await several.write(at('out'), { format: 'jsonl' }, {});
    assert.deepEqual(
      [files.map(({ session: path }) => path), failed.map(({ path, error }) => [path, error.code])],
      [
        [paths[0]],
        [
          [gone, 'not-found'],
          [paths[1], 'changed'],
        ],
      ],
    );
  });

  it('leaves what couldn’t be reviewed out', async () => {
    const several = await BatchExport.open(paths, read, {});
    await writeFile(paths[1]!, session({ id: 'other' }).user('rewritten').text());
    for await (const finding of several.findings()) assert.ok(finding.entryId === undefined || finding.path === paths[0]);
    const { files, failed } = await several.write(at('out'), { format: 'jsonl' }, {});
    assert.deepEqual([files.length, failed.map(({ path }) => path)], [1, [paths[1]]]);
  });

  it('never writes into a folder that is there, and leaves nothing behind when it’s canceled', async () => {
    const several = await BatchExport.open(paths, read, {});
    await mkdir(at('out'));
    await assert.rejects(several.write(at('out'), { format: 'jsonl' }, {}), isRefusal('invalid', /already something/));
    const controller = new AbortController();
    const onProgress = (done: number, total: number): void => {
      if (done === total) controller.abort(new Error('stop'));
    };
    await assert.rejects(several.write(at('new'), { format: 'jsonl' }, {}, { signal: controller.signal, onProgress }), /stop/);
    assert.deepEqual((await readdir(folder.path)).sort(), ['a.jsonl', 'b.jsonl', 'out']);
    await assert.rejects(BatchExport.open(paths, read, {}, { signal: controller.signal }), /stop/);
  });

  it('refuses more sessions than it can hold', async () => {
    const many = Array.from({ length: 1001 }, (_, index) => at(String(index)));
    await assert.rejects(BatchExport.open(many, read, {}), isRefusal('invalid', /At most 1000/));
  });

  it('gives names that are different and valid on every system', () => {
    const header = { timestamp: '2026-01-02T03:04:05Z', id: 'x'.repeat(20) };
    const odd = { timestamp: 'CON:..\\/', id: 'a/../b?*.' };
    assert.deepEqual(exportNames([header, { ...header, id: 'X'.repeat(20) }, header, odd], 'html'), [
      'session-2026-01-02-xxxxxxxx.html',
      'session-2026-01-02-XXXXXXXX-2.html',
      'session-2026-01-02-xxxxxxxx-3.html',
      'session-CON---b-.html',
    ]);
    assert.equal(exportName(odd), 'session-CON---b-');
    for (const id of ['..', '.', '', '/', 'C:', 'a%2Fb', '---', '../..', 'a\\b', '\0', 'NUL.'])
      assert.match(exportName({ timestamp: '2026-01-02T03:04:05Z', id }), /^session-2026-01-02-[\w-]*$/, JSON.stringify(id));
  });
});
