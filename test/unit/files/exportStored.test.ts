import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync, zstdCompressSync } from 'node:zlib';
import { extractSession } from '../../../src/core/format/export/htmlData';
import { exportSession, findSecrets, importSession, readSession, type Session } from '../../../src/core/index';
import { writeArchived } from '../../fixtures/archive';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';
import { claudeSession, codexSession } from '../../fixtures/foreignSessions';
import { addPackedEvent, addSession, copyRealDatabase, createDatabase, originals, REAL_DATABASE } from '../../fixtures/openclawDatabase';
import { TOKENS } from '../../fixtures/plantedSecrets';

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
