import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { BatchExport, exportPage, exportSession, findSecrets, readSession, type Finding, type Session } from '../../../src/core/index';
import { exportedLine } from '../../../src/core/files/export/exportedLine';
import { lineRedactor } from '../../../src/core/files/redact/lineRedactor';
import { RedactionThread } from '../../../src/core/files/redact/redactionThread';
import { systemStamp } from '../../../src/core/files/write/systemStamp';
import { finishSteps } from '../../../src/core/format/session/steps';
import { planExport } from '../../../src/core/format/write/exportPlan';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { ENCODED, IN_CONTEXT, LOOKALIKES, MORE_IN_CONTEXT, TOKENS } from '../../fixtures/plantedSecrets';
import { dice } from '../../fixtures/random';
import { isRefusal } from '../../fixtures/refusals';

const DATA = {
  salt: Buffer.from('salt'),
  person: { homes: ['/home/jane'], users: ['jane'], hosts: [] },
  kinds: ['email'],
  words: ['Größe'],
} as const;
/** More bytes than are redacted without a thread. */
const MUCH = 1024 * 1024;

describe('The thread of a redaction', () => {
  const folder = testFolder();
  const at = (name: string): string => join(folder.path, name);
  const token = TOKENS['ghp']!();
  const started = new Set<Worker>();
  const onWorker = (worker: Worker): void => void started.add(worker);
  before(() => process.on('worker', onWorker));
  after(() => void process.off('worker', onWorker));
  beforeEach(async () => {
    started.clear();
    for (const name of ['markdown-it.js', 'page.js', 'page.css', 'export.css']) await folder.write(name, '/**/');
  });
  /** Waits until the threads that were started have ended, and returns their number. A test's own limit reports one that never does. */
  const endOfThreads = async (): Promise<number> => {
    for (const worker of started) if (worker.threadId !== -1) await once(worker, 'exit');
    return started.size;
  };
  const lines = () =>
    session().user(`use ${token}, Größe 🚀`).assistant('jane@corp.example.io\r\n').user(`again ${token.toUpperCase()} ${token}`);
  const small = async (): Promise<Session> => readSession(await folder.write('small.jsonl', lines().text()));
  const large = async (): Promise<Session> =>
    readSession(
      await folder.write(
        'large.jsonl',
        lines()
          .user('plain prose, line by line. '.repeat(MUCH / 20))
          .text(),
      ),
    );

  it('finds and replaces the same as the calling thread does', async () => {
    const emails = Array.from({ length: 1000 }, (_, index) => `“ä\u2028” mail p${String(index)}@corp.example.io`);
    const texts = [`${token} Größe`, emails.join('\n'), '', `random ${'q7Zk2mXw9'.repeat(4)}`, `${token} \u{1F600}\0`].map((text) =>
      JSON.stringify({ type: 'x', text }),
    );
    const outcomes = [];
    for (const bytes of [0, MUCH]) {
      const redactor = await lineRedactor(DATA, bytes);
      const found: boolean[] = [];
      for (const text of texts) found.push(await redactor.learn(text, undefined));
      const all = [];
      for (const [index, text] of texts.entries())
        all.push(await redactor.redact(text, found[index] === true, `e${String(index)}`, undefined));
      const [first] = all[0]!.findings;
      redactor.choose({ keep: new Set([first!.key]), also: true });
      for (const text of texts) all.push(await redactor.redact(text, true, undefined, undefined));
      redactor.end();
      outcomes.push({ found, all });
    }
    assert.deepEqual(outcomes[1], outcomes[0]);
    assert.equal(outcomes[0]!.all[1]!.findings.length, 1000);
    assert.ok(outcomes[0]!.all[0]!.text.includes('[redacted:') && outcomes[0]!.all[5]!.text.includes(token));
    assert.equal(await endOfThreads(), 1);
  });

  it('learns many lines together, with the same outcome as one by one', async () => {
    const secrets = [
      ...Object.values(TOKENS).map((make) => make()),
      ...[IN_CONTEXT, MORE_IN_CONTEXT, ENCODED].flatMap((kind) => Object.values(kind).map((make) => make())),
      ...LOOKALIKES,
      // A word of one line says nothing about others.
      'digest username',
      `response="${'0a1b2c3d'.repeat(4)}"`,
      '{"kty":"RSA"}',
      `x "d":"${'aB3dE6gH9'.repeat(4)}" y`,
      '-----BEGIN CERTIFICATE-----',
      'q7Zk2mXw9'.repeat(7),
      'token: 1aB2cD3eF4gH5iJ6kL7m',
      'jane',
    ];
    const random = dice(5);
    const entryText = (text: string): object => ({ type: 'message', message: { role: 'user', content: text } });
    const entryOf = (text: string): object =>
      random.one([
        entryText(text),
        { type: 'message', message: { role: 'assistant', content: [{ type: 'text', text }] } },
        { type: 'message', message: { content: [{ type: 'toolCall', arguments: { command: text, list: text.split(' ') } }] } },
        { type: 'custom', data: JSON.stringify({ password: 'hunter', note: text }) },
        { type: 'custom', password: 'Hunter', name: 'token', value: text },
      ]);
    // The id of a document is no secret.
    const lines = [JSON.stringify(entryText('see https://docs.example.io/base/1aB2cD3eF4gH5iJ6kL7m'))];
    for (const secret of secrets) {
      const [text, value = text] = typeof secret === 'string' ? [secret] : secret;
      for (let plain = random.below(4); plain > 0; plain--)
        lines.push(JSON.stringify({ type: 'message', id: entryId(plain), text: 'read it, hunter' }));
      lines.push(JSON.stringify(entryOf(text)), JSON.stringify(entryOf(`again ${value}`)));
    }
    for (const salt of ['forwards', 'backwards']) {
      const outcomes = [];
      for (const isTogether of [false, true]) {
        const redactor = await lineRedactor({ ...DATA, salt: Buffer.from(salt) }, 0);
        if (isTogether) await redactor.learnAll(lines, undefined);
        else for (const line of lines) await redactor.learn(line, undefined);
        const all = [];
        for (const line of lines) all.push(await redactor.redact(line, true, undefined, undefined));
        redactor.end();
        outcomes.push(all);
      }
      assert.deepEqual(outcomes[1], outcomes[0]);
      assert.ok(outcomes[0]!.filter(({ findings }) => findings.length > 0).length > 300);
      lines.reverse();
    }
  });

  it('serves an export of much text, which is the same as one of little text', async () => {
    for (const format of ['jsonl', 'markdown', 'html'] as const) {
      const results = [];
      for (const source of [await small(), await large()]) {
        const target = at(`${String(results.length)}.${format}`);
        const { redacted } = await exportSession(source, { format, target, pageFolder: folder.path });
        results.push({ redacted, text: await readFile(target, 'utf8') });
      }
      const [one, other] = results;
      assert.deepEqual(other!.redacted, one!.redacted);
      assert.ok(one!.redacted.length >= 3 && !other!.text.includes(token));
      // Only what follows from the further message differs.
      const common = one!.text.split('\n').filter((line) => !line.includes(entryId(3)) && !line.includes('leafId'));
      for (const line of common) assert.ok(other!.text.includes(line), line);
    }
    assert.equal(await endOfThreads(), 3);
    const findings: Finding[] = [];
    for await (const finding of findSecrets(await large())) findings.push(finding);
    assert.ok(findings.length >= 3);
    assert.equal(await endOfThreads(), 4);
  });

  it('parses very long lines of exports, which are the same as those of the calling thread', async () => {
    const long = Array.from({ length: 60_000 }, (_, index) => ({ type: 'text', text: `Größe ${String(index)} ${'x'.repeat(50)}` }));
    const lines = session()
      .user('a')
      .user(long)
      .compaction('sum', 'e0000001', { retainedTail: [{ role: 'user', content: long }] })
      .user('b');
    const source = await readSession(await folder.write('long.jsonl', lines.text()));
    const plan = finishSteps(planExport(source, {}, systemStamp()));
    const target = at('long-export.jsonl');
    await exportSession(source, { format: 'jsonl', target, redact: false });
    assert.equal(await endOfThreads(), 1);
    const written = (await readFile(target, 'utf8')).trimEnd().split('\n');
    assert.deepEqual(written.slice(1), lines.text().trimEnd().split('\n').slice(1));
    const thread = new RedactionThread();
    const { path, hasGivenIds } = source;
    const bytes = await readFile(path);
    for (const { head, target: ids } of plan.entries)
      for (const [parentId, dropsRetainedTails] of [
        [ids.parentId, undefined],
        ['other', true],
      ] as const) {
        const own = bytes.subarray(head.offset, head.offset + head.length);
        const request = { head, target: { ...ids, parentId }, session: { path, hasGivenIds }, dropsRetainedTails };
        const expected = finishSteps(exportedLine(own, request)) ?? { text: own.toString() };
        assert.deepEqual(await thread.exportedLine(new Uint8Array(own), request, undefined), expected);
      }
    await assert.rejects(thread.learn('{}', undefined), /only parses/);
    thread.end();
    // The file was rewritten meanwhile.
    await writeFile(path, lines.text().replaceAll('e0000002', 'changed2'));
    await assert.rejects(exportSession(source, { format: 'jsonl', target: at('none'), redact: false }), isRefusal('changed', /changed/));
    assert.equal(await endOfThreads(), 3);
  });

  it('ends when an export is canceled while it works, and nothing is left', async () => {
    const source = await readSession(
      await folder.write(
        'long.jsonl',
        session()
          .user(Array.from({ length: 30_000 }, () => ({ type: 'text', text: `see ${token}` })))
          .text(),
      ),
    );
    const before = await readdir(folder.path);
    for (const format of ['jsonl', 'markdown', 'html'] as const) {
      started.clear();
      const controller = new AbortController();
      const exporting = exportSession(source, { format, target: at('out'), pageFolder: folder.path, signal: controller.signal });
      const rejected = assert.rejects(exporting, /enough/);
      // The thread has taken its first line as soon as it answers about it.
      while (started.size === 0) await new Promise(setImmediate);
      const [worker] = started;
      await once(worker!, 'message');
      controller.abort(new Error('enough'));
      await rejected;
      assert.equal(await endOfThreads(), 1);
      assert.deepEqual(await readdir(folder.path), before);
    }
  });

  it('ends when an export fails elsewhere', async () => {
    const source = await large();
    await assert.rejects(
      exportSession(source, { format: 'html', target: at('out'), pageFolder: at('missing') }),
      isRefusal('damaged', /missing/),
    );
    await assert.rejects(exportPage(source, { maxBytes: 100, pageFolder: folder.path }), isRefusal('invalid', /larger/));
    assert.equal(await endOfThreads(), 2);
  });

  it('serves the review and the export of several sessions until they are closed', async () => {
    const paths = [(await small()).path, (await large()).path];
    const read = (path: string): Promise<Session> => readSession(path);
    const several = await BatchExport.open(paths, read, {});
    let count = 0;
    for await (const { rule } of several.findings()) count += rule === 'github-token' ? 1 : 0;
    const { files, failed } = await several.write(at('out'), { format: 'dataset' }, {});
    assert.deepEqual([count, files.length, failed], [4, 2, []]);
    for (const { exported } of files) assert.ok(!(await readFile(exported.path, 'utf8')).includes(token));
    assert.notEqual([...started][0]?.threadId, -1);
    several.close();
    assert.equal(await endOfThreads(), 1);
    const controller = new AbortController();
    const onProgress = (): void => controller.abort(new Error('enough'));
    await assert.rejects(BatchExport.open(paths, read, {}, { signal: controller.signal, onProgress }), /enough/);
    assert.equal(await endOfThreads(), 2);
  });

  it('rejects the work that it broke down with, and everything after it: what it learned is lost', async () => {
    for (const [code, reason] of [
      ['throw new Error("oh no")', /Reading this file failed: oh no/],
      ['process.exit(3)', /Reading this file failed: .*code 3/],
    ] as const) {
      const thread = new RedactionThread(DATA, await folder.write('broken.js', code));
      await assert.rejects(thread.learn('{}', undefined), isRefusal('invalid', reason));
      await assert.rejects(thread.redact('{}', true, undefined, undefined), isRefusal('invalid', reason));
      thread.choose({});
    }
    const thread = new RedactionThread(DATA);
    await assert.rejects(thread.learn(undefined as unknown as string, undefined), /length/);
    assert.equal(await thread.learn('{"text":"fine"}', undefined), false);
    await assert.rejects(thread.learn('{}', AbortSignal.abort(new Error('not now'))), /not now/);
    thread.end();
    assert.equal(await endOfThreads(), 3);
  });
});
