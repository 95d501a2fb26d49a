import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readArticles } from '../../../src/context/articles/articleLoader';
import { readFileContext } from '../../../src/context/host/sessionFiles';
import type { Article, Part } from '../../../src/context/shared/protocol';
import { finishSteps } from '../../../src/core/format/session/steps';
import { exportSession, FILTERS, isVisible, readSession, sessionToMarkdown, type Session } from '../../../src/core/index';
import { buildOutline, outlineRow } from '../../../src/tree/rows/outline';
import { entryId, session } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

/** A session with what no program writes yet: a type of entry, a role, a block, and fields beside known ones. */
const built = session({ crew: ['Ada'] })
  .user('Wohin?')
  .entry('hologram', { shape: { sides: 6 }, note: 'плавает' })
  .message({ role: 'oracle', content: '東へ' })
  .assistant([{ type: 'score', bars: ['la'] }], { message: { mood: 'calm' } })
  .entry('hologram');

describe('What no program writes yet', () => {
  const folder = testFolder();
  const open = async (): Promise<Session> => readSession(await folder.write('new.jsonl', built.text()));
  const textsOf = (parts: readonly Part[]): string[] => parts.map((part) => ('text' in part ? part.text.text : part.kind));

  it('is no problem, and has rows in the tree', async () => {
    const found = await open();
    assert.deepEqual(found.problems, []);
    const outline = finishSteps(buildOutline(found, 'default'));
    const rows = outline.elements.map((element) => outlineRow(outline, element).head.text);
    assert.deepEqual(rows, ['user: Wohin?', '[hologram]', '[oracle]', '[hologram]']);
    const hologram = found.byId.get(entryId(2))!;
    assert.deepEqual(
      FILTERS.filter((filter) => isVisible(found, hologram, filter)),
      ['default', 'no-tools', 'all'],
    );
  });

  it('is in the context view, with all of its fields', async () => {
    const snapshot = await readFileContext(await open(), undefined, 'transcript');
    const found: Article[] = [];
    for await (const page of readArticles(snapshot, 0, snapshot.groups.length)) found.push(...page.articles);
    const shown = found.map(({ kind, name, row, parts }) => [row?.text ?? name ?? kind, ...textsOf(parts)]);
    assert.deepEqual(shown, [
      ['user', 'Wohin?'],
      ['hologram', JSON.stringify({ shape: { sides: 6 }, note: 'плавает' }, undefined, 2)],
      ['oracle', '東へ'],
      ['assistant', JSON.stringify({ type: 'score', bars: ['la'] }, undefined, 2)],
      ['hologram'],
    ]);
  });

  it('is in Markdown, and whole in an export', async () => {
    const found = await open();
    const markdown = await sessionToMarkdown(found);
    assert.match(markdown, /\n\*hologram\*\n/);
    assert.match(markdown, /## Message of oracle .*\n\n東へ\n/);
    const lines = built.text();
    const target = join(folder.path, 'out.jsonl');
    await exportSession(found, { format: 'jsonl', target, redact: false });
    const exported = (await readFile(target, 'utf8'))
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    const given = lines
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object);
    assert.deepEqual(exported.slice(1), given.slice(1));
  });
});
