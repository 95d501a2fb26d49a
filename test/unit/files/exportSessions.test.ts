import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { transform } from 'esbuild';
import { embeddedLocalization } from '../../../src/context/page/embedded/embeddedLocalization';
import { exportName, exportNames, titledExportName } from '../../../src/core/files/export/batch/exportNames';
import { exportHtml } from '../../../src/core/files/export/htmlExport';
import type { ExportInfo, Translations } from '../../../src/core/format/export/exportInfo';
import { extractSession } from '../../../src/core/format/export/htmlData';
import {
  BATCH_FORMATS,
  type BatchChoices,
  BatchExport,
  type BatchFormat,
  EXPORT_FORMATS,
  type ExportFormat,
  exportPage,
  exportSession,
  findSecrets,
  importSession,
  readSession,
  type Session,
  type SessionFinding,
} from '../../../src/core/index';
import { writeArchived } from '../../fixtures/archive';
import { entryId, session } from '../../fixtures/build';
import { longTexts } from '../../fixtures/wholeCharacters';
import { testFolder } from '../../fixtures/folder';
import { claudeSession, codexSession } from '../../fixtures/foreignSessions';
import { addPackedEvent, addSession, copyRealDatabase, createDatabase, originals, REAL_DATABASE } from '../../fixtures/openclawDatabase';
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

  it('suggests a name with the title in any alphabet, whose length is limited in bytes', () => {
    const header = { timestamp: '2026-01-02T03:04:05Z', id: 'x'.repeat(20) };
    const cases = [
      ['Fix the `flaky` checkout test', 'Fix-the-flaky-checkout-test'],
      ['Größe prüfen: 100 %', 'Größe-prüfen-100'],
      ['修复登录 (部分)', '修复登录-部分'],
      ['../../etc/passwd\0', 'etc-passwd'],
      ['C:\\a\u202Etxt.exe', 'C-a-txt-exe'],
      ['word '.repeat(40), Array<string>(12).fill('word').join('-')],
      // A word that doesn't fit isn't cut.
      ['letters '.repeat(40), Array<string>(7).fill('letters').join('-')],
    ] as const;
    for (const [title, name] of cases) assert.equal(titledExportName(header, title), `2026-01-02-${name}`);
    for (const title of ['', '...', '\u0301\u0302', '🙂']) assert.equal(titledExportName(header, title), exportName(header), title);
    for (const title of [...longTexts(200, 6), `a${'\u0301'.repeat(5000)}`, '語'.repeat(500)]) {
      const name = titledExportName(header, title);
      assert.ok(Buffer.byteLength(name) <= 131, name);
      assert.ok(/^[\p{L}\p{M}\p{N}-]+$/u.test(name), JSON.stringify(name));
    }
  });
});

/** Names of the fields in which programs write what someone said or what a command printed. */
const TEXTS = new Set(['text', 'content', 'thinking', 'command', 'output', 'arguments', 'message', 'summary', 'stdout', 'stderr', 'input']);

describe('Exports of sessions that aren’t plain files', () => {
  const folder = testFolder();
  const token = TOKENS['ghp']!();
  const at = (name: string): string => join(folder.path, name);
  const lines = () => session().user(`use ${token}`).assistant('done').branchFrom(entryId(1)).assistant(`printed ${token}`);
  const shape = ({ entries }: Session): unknown => entries.map(({ id, parentId, type }) => [id, parentId, type]);

  /** Finds the token twice, and exports the session without it in each format, whole. */
  async function assertExported(path: string): Promise<void> {
    for (const name of ['markdown-it.js', 'page.js', 'page.css', 'export.css']) await folder.write(name, '/**/');
    const source = await readSession(path);
    const rules: string[] = [];
    for await (const { rule } of findSecrets(source)) rules.push(rule);
    assert.deepEqual(rules, ['github-token', 'github-token']);
    for (const format of ['jsonl', 'markdown', 'html'] as const) {
      const target = at(`out.${format}`);
      const { redacted, problems } = await exportSession(source, { format, target, pageFolder: folder.path });
      assert.deepEqual([redacted.map(({ rule }) => rule), problems], [rules, []], format);
      const text = await readFile(target, 'utf8');
      assert.ok(!text.includes(token), format);
      assert.match(text, /printed \\?\[redacted:github-token-1/, format);
      if (format === 'markdown') assert.match(text, /^# Branch: /m);
      else {
        const jsonl = format === 'html' ? await folder.write('extracted.jsonl', `${(await extractSession(text))!.join('\n')}\n`) : target;
        assert.deepEqual(shape(await readSession(jsonl)), shape(source), format);
      }
    }
  }

  it('are whole for sessions in OpenClaw’s database, with events that it packed', async () => {
    const path = at('a.sqlite');
    const database = createDatabase(path);
    addSession(database, { id: 'one', lines: lines().lines().slice(0, -1) });
    addPackedEvent(database, 'one', 3, lines().lines().at(-1)!);
    database.close();
    await assertExported(join(path, 'one.jsonl'));
  });

  for (const [name, text] of [
    ['Claude Code', claudeSession()],
    ['Codex', codexSession()],
  ] as const)
    it(`are without secrets for imported sessions of ${name}, wherever those have a text`, async () => {
      // Each string that a person, a model or a tool may have written gets a token of its own kind.
      const planted: string[] = [];
      const makers = Object.values(TOKENS).filter((make) => /^[\w-]+$/.test(make()));
      const plant = (value: unknown, key = ''): unknown => {
        if (Array.isArray(value)) return value.map((one) => plant(one, key));
        if (typeof value === 'object' && value !== null)
          return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, plant(one, name)]));
        if (typeof value !== 'string' || !TEXTS.has(key) || value === '') return value;
        const secret = makers[planted.length % makers.length]!();
        planted.push(secret);
        // The arguments of a call are JSON in a text.
        return key === 'arguments' ? value.replace(/"(?=[^"]*"\}?$)/, () => `"${secret} `) : `${value} ${secret}`;
      };
      const lines = text
        .trimEnd()
        .split('\n')
        .map((line) => JSON.stringify(plant(JSON.parse(line))));
      const file = await folder.write('foreign.jsonl', `${lines.join('\n')}\n`);
      const { path } = await importSession(file, { sessionDir: folder.path });
      const imported = await readFile(path, 'utf8');
      const kept = planted.filter((secret) => imported.includes(secret));
      assert.ok(kept.length >= 8, String(kept.length));
      for (const target of ['markdown-it.js', 'page.js', 'page.css', 'export.css']) await folder.write(target, '/**/');
      const source = await readSession(path);
      for (const format of ['jsonl', 'markdown', 'html'] as const) {
        const target = at(`imported.${format}`);
        await exportSession(source, { format, target, branches: 'all', pageFolder: folder.path });
        const exported = await readFile(target, 'utf8');
        assert.deepEqual(
          kept.filter((secret) => exported.includes(secret) || exported.includes(secret.slice(-12))),
          [],
          format,
        );
      }
    });

  it('are the same as those of the files that OpenClaw’s database was made of, and leave it as it is', async () => {
    const database = copyRealDatabase(folder.path);
    for (const [id, text] of originals) {
      const file = await readSession(await folder.write(`${id}.jsonl`, text), { dialect: 'openclaw' });
      const stored = await readSession(join(database, `${id}.jsonl`));
      await exportSession(file, { format: 'jsonl', target: at(`file-${id}`) });
      await exportSession(stored, { format: 'jsonl', target: at(`stored-${id}`) });
      // The mark of the leaf, which the export adds, is new each time.
      const exported = async (name: string): Promise<unknown[]> =>
        (await readFile(at(`${name}-${id}`), 'utf8'))
          .trimEnd()
          .split('\n')
          .slice(1)
          .map((line) => JSON.parse(line) as { id: string })
          .filter((line) => file.byId.has(line.id));
      assert.deepEqual(await exported('stored'), await exported('file'));
    }
    assert.ok(readFileSync(database).equals(readFileSync(REAL_DATABASE)));
  });

  it('are whole for sessions that oh-my-pi has archived', async () => {
    await assertExported(writeArchived(at('agent'), '-work-demo/old', lines()));
  });

  for (const [ending, compress] of [
    ['gz', gzipSync],
    ['zst', zstdCompressSync],
  ] as const)
    // The oldest supported editor has no Zstandard.
    if (typeof compress === 'function')
      it(`are whole for sessions in a .jsonl.${ending}`, async () => {
        mkdirSync(at('store'));
        const path = at(`store/a.jsonl.${ending}`);
        await writeFile(path, compress(lines().text()));
        await assertExported(path);
      });
});

describe('An export that can’t begin', () => {
  const folder = testFolder();
  const at = (...names: string[]): string => join(folder.path, ...names);
  const aborted = AbortSignal.abort(new Error('not now'));
  let source: Session;
  let before: string[];
  beforeEach(async () => {
    for (const name of ['markdown-it.js', 'page.js', 'page.css', 'export.css']) await folder.write(name, '/**/');
    await folder.write('there.md', '# mine');
    await mkdir(at('empty'));
    source = await readSession(await folder.write('a.jsonl', session().user('hello').text()));
    before = await readdir(folder.path, { recursive: true });
  });
  const assertNothingLeft = async (): Promise<void> => {
    assert.deepEqual(await readdir(folder.path, { recursive: true }), before);
    assert.equal(await readFile(at('there.md'), 'utf8'), '# mine');
  };

  for (const format of EXPORT_FORMATS)
    it(`because it was canceled, rejects and leaves nothing: ${format}`, async () => {
      for (const target of [at('empty', 'out'), at('new', 'folder', 'out'), at('there.md')])
        for (const redact of [true, false])
          await assert.rejects(
            exportSession(source, { format, target, overwrite: true, redact, signal: aborted, pageFolder: folder.path }),
            /not now/,
          );
      await assert.rejects(exportPage(source, { maxBytes: 1e6, signal: aborted, pageFolder: folder.path }), /not now/);
      await assertNothingLeft();
    });

  for (const format of EXPORT_FORMATS)
    it(`any further because it’s canceled at its first line, rejects and leaves nothing: ${format}`, async () => {
      for (const redact of [true, false]) {
        const controller = new AbortController();
        const onProgress = (): void => controller.abort(new Error('stop'));
        const target = at('empty', 'out');
        await assert.rejects(
          exportSession(source, { format, target, redact, signal: controller.signal, onProgress, pageFolder: folder.path }),
          /stop/,
        );
      }
      await assertNothingLeft();
    });

  it('because its format isn’t known, rejects and leaves nothing', async () => {
    // Other extensions call these functions without types.
    for (const format of ['pdf', '', 'HTML', 'constructor', undefined] as unknown as ExportFormat[]) {
      const refused = isRefusal('invalid', /“format” must be one of: html, markdown, jsonl/);
      await assert.rejects(exportSession(source, { format, target: at('empty', 'out') }), refused);
      await assert.rejects(exportSession(source, { format, target: at('there.md'), overwrite: true }), refused);
    }
    await assertNothingLeft();
  });

  it('of several sessions, rejects and leaves nothing', async () => {
    const read = (path: string): Promise<Session> => readSession(path);
    await assert.rejects(BatchExport.open([source.path], read, {}, { signal: aborted }), /not now/);
    await assert.rejects(BatchExport.open([], read, { redact: false }, { signal: aborted }), /not now/);
    for (const redact of [{}, false] as const) {
      const several = await BatchExport.open([source.path], read, { redact });
      await assert.rejects(several.findings({ signal: aborted }).next(), /not now/);
      for (const format of BATCH_FORMATS)
        await assert.rejects(several.write(at('out'), { format, pageFolder: folder.path }, {}, { signal: aborted }), /not now/);
      for (const format of ['pdf', 'toString'] as unknown as BatchFormat[])
        await assert.rejects(several.write(at('out'), { format }, {}), isRefusal('invalid', /one of: html, markdown, jsonl, dataset/));
    }
    await assertNothingLeft();
  });
});

const PAGE = ['markdown-it.js', 'page.js', 'page.css', 'export.css'];
/** Bytes of the page's head, and of the translations of its texts. */
const HEAD = 5000;
const TRANSLATIONS = 24_000;
const CODE = 'export const total = (items) => items.reduce((sum, { price }) => sum + price, 0); // "in" <cents> & more\n';

/** Returns the beginning of a PNG, and bytes that stand for its picture. */
/** A PNG without the checksums of its chunks. */
const picture = (bytes: number): Buffer => {
  const chunk = (type: string, length: number): Buffer => {
    const data = Buffer.alloc(length + 12, 'picture');
    data.writeUInt32BE(length);
    data.write(type, 4);
    return data;
  };
  return Buffer.concat([Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'), chunk('IHDR', 13), chunk('IDAT', bytes), chunk('IEND', 0)]);
};

describe('An export as HTML', () => {
  const folder = testFolder();

  /** Returns the bytes of the session, and those that its export has beyond the page. */
  const sizes = async (text: string): Promise<{ jsonl: number; html: number }> => {
    for (const name of PAGE) await folder.write(name, '/**/');
    const target = join(folder.path, 'a.html');
    const source = await readSession(await folder.write('a.jsonl', text));
    const { problems } = await exportSession(source, { format: 'html', target, pageFolder: folder.path });
    assert.deepEqual(problems, []);
    return { jsonl: Buffer.byteLength(text), html: (await stat(target)).size };
  };
  const assertSmall = ({ jsonl, html }: { jsonl: number; html: number }): void =>
    assert.ok(html <= 1.5 * jsonl + HEAD, `${html} bytes of ${jsonl}`);

  it('has a page of less than a megabyte', async () => {
    const lengths = await Promise.all(
      PAGE.map(async (name) => {
        const source = await readFile(resolve('dist', name), 'utf8');
        const { code } = await transform(source, { loader: name.endsWith('.js') ? 'js' : 'css', minify: true, charset: 'utf8' });
        return Buffer.byteLength(code);
      }),
    );
    const length = lengths.reduce((sum, each) => sum + each);
    assert.ok(length + TRANSLATIONS + HEAD <= 1_000_000, `${length} bytes`);
  });

  it('has the context windows of the session’s models alone', async () => {
    for (const name of PAGE) await folder.write(name, '/**/');
    const model = (modelId: string) => ({ message: { provider: 'anthropic', model: modelId } });
    const text = session().user('Go').assistant('One', model('claude-opus-4-6')).assistant('Two', model('__proto__')).text();
    const target = join(folder.path, 'models.html');
    await exportSession(await readSession(await folder.write('models.jsonl', text)), { format: 'html', target, pageFolder: folder.path });
    const [, block = ''] = /id="export-info">(.*)<\/script>/.exec(await readFile(target, 'utf8')) ?? [];
    const { windows } = JSON.parse(block) as ExportInfo;
    assert.deepEqual(windows, { 'claude-opus-4-6': 1_000_000 });
  });

  it('is hardly larger than a session with large texts', async () => {
    const text = session()
      .user('Look')
      .tool('bash', { command: 'cat' }, CODE.repeat(10_000))
      .assistant(`# Done\n\n${CODE.repeat(3000)}`)
      .text();
    assertSmall(await sizes(text));
  });

  it('is hardly larger than a session with pages of HTML', async () => {
    const page = '<!-- a part --><script src="a.js"></script>\n<p class="text">Some words of this page</p>\n';
    assertSmall(await sizes(session().user('Read').tool('read', { path: 'a.html' }, page.repeat(8000)).text()));
  });

  it('is hardly larger than a session of many small entries', async () => {
    const many = session();
    for (let count = 0; count < 2000; count++) many.user('a');
    assertSmall(await sizes(many.text()));
  });

  it('is hardly larger than a session of an old version, whose lines get ids', async () => {
    const line = (count: number): string =>
      `{"type":"message","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"Message ${count}"}}\n`;
    const lines = Array.from({ length: 2000 }, (_, count) => line(count)).join('');
    assertSmall(await sizes(`{"type":"session","id":"s","timestamp":"2026-01-01T00:00:00Z","cwd":"/x"}\n${lines}`));
  });

  it('is hardly larger than a session with images', async () => {
    const image = (data: string): object => ({ type: 'image', mimeType: 'image/png', data });
    const inside = session();
    for (let count = 0; count < 10; count++) inside.user([image(picture(300_000 + count).toString('base64'))]);
    assertSmall(await sizes(inside.text()));
  });

  it('is hardly larger than a session and oh-my-pi’s images beside it', async () => {
    await mkdir(join(folder.path, 'blobs'));
    const hashes = ['a', 'b', 'c'].map((digit) => digit.repeat(64));
    for (const hash of hashes) await writeFile(join(folder.path, 'blobs', hash), picture(2_000_000));
    const text = session()
      .user(hashes.map((hash) => ({ type: 'image', mimeType: 'image/png', data: `blob:sha256:${hash}` })))
      .text();
    const { jsonl, html } = await sizes(text);
    assert.ok(html > 7_000_000, `${html} bytes`);
    assertSmall({ jsonl: jsonl + 6_000_000, html });
  });
});

/** Bytes that an export in another language has in addition. All translations together are five times as large. */
const MAX_TRANSLATIONS = 24_000;

const read = async <T>(path: string): Promise<T> => JSON.parse(await readFile(resolve(path), 'utf8')) as T;

async function* noLines(): AsyncGenerator<string, void> {}

async function exported(options: Partial<ExportInfo> = {}): Promise<string> {
  let text = '';
  for await (const part of exportHtml(noLines(), { title: '', pageFolder: resolve('dist'), ...options })) text += part;
  return text;
}

describe('Texts of an exported page', () => {
  it('are translated, and no others are embedded', async () => {
    const texts = await read<string[]>('dist/page.texts.json');
    const english = await read<Translations>('l10n/bundle.l10n.json');
    const german = await read<Translations>('l10n/bundle.l10n.de.json');
    assert.ok(texts.length > 200 && texts.length < Object.keys(english).length / 3, `${texts.length}`);
    const html = await exported({ language: 'de', translations: german });
    const [, block = ''] = /id="export-info">(.*)<\/script>/.exec(html) ?? [];
    const { translations = {} } = JSON.parse(block) as ExportInfo;
    const { localize } = embeddedLocalization({ language: 'de', translations });
    for (const key of texts.filter((each) => Object.hasOwn(german, each))) {
      const message = english[key] ?? '';
      assert.equal(localize(message === key ? { message } : { message, comment: key.slice(message.length + 1) }), german[key]);
    }
    assert.deepEqual(
      Object.keys(translations).filter((key) => !texts.includes(key)),
      [],
    );
    const larger = Buffer.byteLength(html) - Buffer.byteLength(await exported());
    assert.ok(larger < MAX_TRANSLATIONS, `${larger} bytes`);
  });

  it('are all in the list: each sentence in the page’s script', async () => {
    const texts = new Set(await read<string[]>('dist/page.texts.json'));
    const english = await read<Translations>('l10n/bundle.l10n.json');
    const script = await readFile(resolve('dist/page.js'), 'utf8');
    // A single word may be a value instead of a text.
    const sentences = Object.entries(english).filter(([, message]) => message.includes(' ') && script.includes(JSON.stringify(message)));
    assert.ok(sentences.length > 100, `${sentences.length}`);
    // Two texts may be the same in English, one of which isn't the page's.
    const known = new Set([...texts].map((key) => english[key]));
    assert.deepEqual(
      sentences.flatMap(([key, message]) => (known.has(message) ? [] : key)),
      [],
    );
  });
});
