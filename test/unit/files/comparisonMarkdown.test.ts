import assert from 'node:assert/strict';
import type { MarkdownOptions } from '../../../src/core/files/export/markdown/sessionMarkdown';
import { readSession } from '../../../src/core/files/read/sessionFile';
import { sideToMarkdown } from '../../../src/core/files/export/markdown/comparisonMarkdown';
import { touchedFiles } from '../../../src/core/files/export/markdown/touchedFiles';
import { formatMessage, SessionError } from '../../../src/core/format/entry/problem';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('A side of a comparison', () => {
  const folder = testFolder();
  const side = async (built: SessionBuilder, since: string | null, options?: MarkdownOptions): Promise<string> =>
    sideToMarkdown(await readSession(await folder.write('a.jsonl', built.text())), since, options);

  const built = session()
    .user('Which way?', { id: 'ask' })
    .assistant('Left or right.', { id: 'answer' })
    .user('Left.', { id: 'left' })
    .tool('read', { path: '/work/demo/map.txt' }, 'a map')
    .tool('edit', { path: 'src/a *b*.ts' }, 'Edited.')
    .tool('write', { path: './gone.ts' }, 'No.', { message: { isError: true } })
    .assistant('A **wall**.', { id: 'wall' })
    .label('wall', 'dead end', { parentId: 'ask' })
    .branchFrom('answer')
    .user('Right.', { id: 'right' });

  it('summarizes the activity since the fork point, then lists every entry', async () => {
    assert.equal(
      (await side(built, 'answer', { entryId: 'wall' })).split('\n## ').slice(0, 2).join('\n## '),
      `# Which way?

- Session: \`01a1fa45-0000-7000-8000-000000000001\`
- After: \`assistant: Left or right.\` · \`answer\`
- Up to: \`assistant: A wall.\` · \`wall\` · 🏷 dead end
- Turns: 1
- Messages: 8
- Tools: \`read\` 1, \`edit\` 1, \`write\` 1 (1 failed)
- Files written: \`src/a *b*.ts\`
- Files read: \`map.txt\`
- Models: anthropic/claude-x
- Tokens: 52 in, 20 out, 8 cache read, 4 cache write
- Cost: $0.15
- Time: 2026-01-02 10:00:02 – 10:00:09 UTC (7 s)

## User

> Left.
`.trimEnd() + '\n',
    );
    const text = await side(built, 'answer', { entryId: 'wall' });
    assert.match(text, /## Assistant · anthropic\/claude-x · 🏷 dead end\n\nA \*\*wall\*\*\.\n$/);
    assert.doesNotMatch(text, /Left or right\.\n/);
  });

  it('has the roles of both ends in the reader’s language', async () => {
    const roles: Readonly<Record<string, string>> = { user: 'Benutzer', assistant: 'Assistent' };
    const text = await side(session().user('Go', { id: 'go' }).assistant('Gone', { id: 'gone' }), 'go', {
      entryId: 'gone',
      translate: (template, args) => formatMessage(roles[template] ?? template, args),
    });
    assert.match(text, /- After: `Benutzer: Go` · `go`\n- Up to: `Assistent: Gone` · `gone`\n/);
  });

  it('says that a branch begins, instead of the name of our own line', async () => {
    const marked = session().user('Go', { id: 'go' }).custom('pi-session-tree/branch', {}, { id: 'mark' });
    const text = await side(marked, 'go', { entryId: 'mark' });
    assert.match(text, /- Up to: Branch starts here · `mark`\n[^]*\n\*Branch starts here\*\n$/);
    assert.doesNotMatch(text, /pi-session-tree/);
  });

  it('has a sentence if nothing comes after the fork point', async () => {
    const text = await side(built, 'answer', { entryId: 'answer' });
    assert.match(text, /- Turns: 0\n[^]*- Time: none\n\n\*Nothing comes after the fork point on this side\.\*\n$/);
    assert.doesNotMatch(text, /## /);
    // Bookkeeping alone has no text to show.
    assert.match(await side(session().user('a').label(entryId(1), 'x'), entryId(1)), /Nothing comes after/);
    assert.match(await side(session(), null), /There are no entries/);
  });

  it('begins at the root if the sides have nothing in common', async () => {
    const text = await side(built, null);
    assert.match(text, /- After: the beginning \(no entries in common\)\n[^]*## User\n\n> Which way\?[^]*> Right\./);
  });

  it('refuses a missing entry, and tolerates a missing fork point', async () => {
    await assert.rejects(
      side(built, 'answer', { entryId: 'none' }),
      (error) => error instanceof SessionError && error.code === 'unknown-entry',
    );
    assert.match(await side(built, 'gone'), /> Which way\?/);
  });

  it('leaves out whole sections in the middle, is translated, and formats long durations', async () => {
    const long = session();
    for (let i = 0; i < 100; i++)
      long.user(`message ${String(i)} ${'x'.repeat(100)}`, {
        timestamp: new Date(Date.UTC(2026, 0, 1 + i)).toISOString(),
        message: { timestamp: Date.UTC(2026, 0, 1 + i) },
      });
    const text = await side(long, null, {
      maxBytes: 4_000,
      translate: (template, args) => (template === 'Turns' ? 'RUNDEN' : template.replace('{count}', String(args['count']))),
    });
    assert.ok(Buffer.byteLength(text) < 4_300);
    assert.match(text, /- RUNDEN: 100\n[^]*2026-01-01 00:00:00 – 2026-04-10 00:00:00 UTC \(99 d\)[^]*sections are left out/);
  });

  it('reads only the bodies of entries that may have touched a file', async () => {
    const large = session({ cwd: '/work' });
    for (let i = 0; i < 1200; i++) large.tool('write', { file_path: `/work/f${String(i % 40)}`, content: 'x' });
    large.tool('bash', { command: 'cat a' }).message({ role: 'fileMention', files: [{ path: 'notes.md' }] });
    const found = await readSession(await folder.write('b.jsonl', large.text()));
    const files = await touchedFiles(found, found.entries);
    assert.deepEqual([files.written.length, files.written[0], files.read], [40, 'f0', ['notes.md']]);
    assert.match(await sideToMarkdown(found, null, { maxBytes: 0 }), /`f29`, 10 more\n/);
  });

  it('names the sections of the system prompt and the tools at its end, if they are recorded', async () => {
    const prompted = session()
      .message({
        role: 'system',
        content: '',
        sections: { preamble: 'x'.repeat(1200), rules: 'r' },
        toolsAdded: [{ name: 'read' }, { name: 'ls' }],
      })
      .user('a', { id: 'fork' })
      .message({ role: 'system', content: 'brief', sections: { rules: null }, toolsRemoved: [{ name: 'ls' }] }, { id: 'left' })
      .branchFrom('fork')
      .user('b', { id: 'right' });
    const rows = async (entryId: string): Promise<string[]> =>
      (await side(prompted, 'fork', { entryId })).split('\n').filter((line) => /^- (System|Tools offered)/.test(line));
    assert.deepEqual(await rows('left'), ['- System prompt: 5 characters, `preamble` 1,200 characters', '- Tools offered: `read`']);
    assert.deepEqual(await rows('right'), [
      '- System prompt: `preamble` 1,200 characters, `rules` 1 characters',
      '- Tools offered: `read`, `ls`',
    ]);
    assert.match(
      await side(prompted, 'fork', { entryId: 'left' }),
      /## System prompt and tools changed\n\n```\nbrief\n```\n\nSection `rules`/,
    );
  });
});
