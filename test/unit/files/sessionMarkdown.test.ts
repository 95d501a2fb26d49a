import assert from 'node:assert/strict';
import { readSession } from '../../../src/core/files/read/sessionFile';
import { sessionToMarkdown, type MarkdownOptions } from '../../../src/core/files/export/sessionMarkdown';
import { SessionError } from '../../../src/core/format/entry/problem';
import { entryId, session, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('sessionToMarkdown', () => {
  const folder = testFolder();
  const markdown = async (built: SessionBuilder, options?: MarkdownOptions): Promise<string> =>
    sessionToMarkdown(await readSession(await folder.write('a.jsonl', built.text())), options);

  it('renders the facts and every entry in order', async () => {
    const built = session()
      .model('anthropic', 'claude-x')
      .user('# Hello\n\nfix <b>')
      .assistant([
        { type: 'thinking', thinking: 'let me see' },
        { type: 'text', text: 'Reading.' },
        { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a.md', note: 'two\nlines' } },
        { type: 'toolCall', id: 'c2', name: 'look', arguments: {} },
      ])
      .message({
        role: 'toolResult',
        toolCallId: 'c2',
        toolName: 'look',
        content: [{ type: 'image', data: 'AAAA'.repeat(1024), mimeType: 'image/png' }],
      })
      .message({ role: 'toolResult', toolCallId: 'c1', toolName: 'read', content: [{ type: 'text', text: '```\nfile' }], isError: true })
      .label(entryId(3), 'good *place*')
      .bash('ls', 'a b', { message: { exitCode: 2 } })
      .name('The name');
    assert.equal(
      await markdown(built),
      `# The name

- Program: pi
- Folder: \`/work/demo\`
- Started: 2026-01-02 10:00:00 UTC
- Model: anthropic/claude-x
- Thinking level: off
- Session: \`01a1fa45-0000-7000-8000-000000000001\`

*model: claude-x*

## User · 10:00:01

> **Hello**
>
> fix &lt;b>

## Assistant · anthropic/claude-x · 10:00:02 · 🏷 good \\*place\\*

> *Thinking*
>
> let me see

Reading.

**Tool** \`read\`

- path: \`a.md\`

note:

\`\`\`
two
lines
\`\`\`

Result, an error:

\`\`\`\`
\`\`\`
file
\`\`\`\`

**Tool** \`look\`

Result:

*Image, image/png, 3 KB*

## Command · 10:00:06

\`\`\`sh
ls
\`\`\`

\`\`\`
a b
\`\`\`

*exit code 2*

*title: The name*
`,
    );
  });

  it('shows the position of a compaction', async () => {
    const text = await markdown(session().user('old').user('kept').compaction('what was', entryId(2)).user('new'));
    assert.match(text, /> old\n\n\*The compaction below kept the messages from here on[^\n]+\*\n\n## User · 10:00:01\n\n> kept/);
    assert.match(text, /12345 tokens before\. The model sees this summary in place of 1 earlier messages\.\n\n> what was/);
  });

  it('renders the branch of an entry', async () => {
    const built = session().user('shared').user('left').branchFrom(entryId(1)).user('right');
    assert.match(await markdown(built), /shared[^]+right/);
    assert.doesNotMatch(await markdown(built), /left/);
    const left = await markdown(built, { entryId: entryId(2) });
    assert.match(left, /shared[^]+left/);
    assert.match(left, /Up to entry: `e0000002`/);
    await assert.rejects(markdown(built, { entryId: 'none' }), (error) => error instanceof SessionError && error.code === 'unknown-entry');
  });

  it('leaves out whole sections in the middle, with their number', async () => {
    const built = session();
    for (let i = 0; i < 200; i++) built.user(`message ${String(i)} ${'x'.repeat(100)}`);
    const text = await markdown(built, { maxBytes: 8_000 });
    assert.ok(Buffer.byteLength(text) < 8_200);
    const kept = [...text.matchAll(/message (\d+) /g)].map((found) => Number(found[1]));
    assert.deepEqual([kept[1], kept.at(-1)], [0, 199]);
    const missing = Number(/(\d+) sections are left out/.exec(text)?.[1]);
    assert.equal(missing + new Set(kept).size, 200);
    assert.doesNotMatch(await markdown(built), /left out/);
    assert.match(await markdown(built, { maxBytes: 0 }), /200 sections are left out/);
  });

  it('cuts a long output in the middle', async () => {
    const text = await markdown(session().tool('bash', { command: 'yes' }, `begin ${'y'.repeat(100_000)} end`));
    assert.match(text, /begin y+\n\[… 94010 characters are left out here …\]\ny+ end/);
  });

  it('renders malformed entries', async () => {
    const text = await markdown(
      session()
        .user(null)
        .assistant([{ type: 'toolCall', name: 5 }, { type: 'odd' }, { type: 'text' }])
        .entry('message', { message: 7 })
        .entry('???', { x: 1 })
        .entry('compaction'),
    );
    assert.match(text, /## Assistant/);
  });

  it('translates its own texts', async () => {
    const text = await markdown(session().user('a'), { translate: (template) => template.toUpperCase() });
    assert.match(text, /- PROGRAM: pi[^]+## USER · /);
  });
});
