import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportSession } from '../../../src/core/files/export/exportSession';
import { readSession } from '../../../src/core/files/read/sessionFile';
import { branchesToMarkdown } from '../../../src/core/files/export/markdown/branchesMarkdown';
import { sideToMarkdown } from '../../../src/core/files/export/markdown/comparisonMarkdown';
import { sessionToMarkdown, type MarkdownOptions } from '../../../src/core/files/export/markdown/sessionMarkdown';
import { SessionError } from '../../../src/core/format/entry/problem';
import { entryId, session, type Fields, type SessionBuilder } from '../../fixtures/build';
import { testFolder } from '../../fixtures/folder';

describe('sessionToMarkdown', () => {
  const folder = testFolder();
  const markdown = async (built: SessionBuilder, options?: MarkdownOptions): Promise<string> =>
    sessionToMarkdown(await readSession(await folder.write('a.jsonl', built.text())), options);

  it('can be aborted, and so can the documents of a comparison and of all branches', async () => {
    const found = await readSession(await folder.write('a.jsonl', session().user('hello').text()));
    const signal = AbortSignal.abort(new Error('stop'));
    const all = async (): Promise<void> => {
      for await (const part of branchesToMarkdown(found, { signal })) assert.ok(part);
    };
    for (const made of [sessionToMarkdown(found, { signal }), sideToMarkdown(found, null, { signal }), all()])
      await assert.rejects(made, /stop/);
  });

  it('says of each branch which of its compactions counts, and that its own prompt is the first', async () => {
    const built = session()
      .user('start', { id: 'start' })
      .user('other way')
      .assistant('kept', { id: 'kept' })
      .compaction('First sum', 'kept')
      .compaction('Last sum', 'kept')
      .branchFrom(null)
      .message({ role: 'system', content: 'Be brief.', sections: { rules: 'x' } })
      .user('anew')
      .branchFrom('start')
      .user('on');
    const found = await readSession(await folder.write('a.jsonl', built.text()));
    const parts: string[] = [];
    for await (const part of branchesToMarkdown(found)) parts.push(part);
    const text = parts.join('\n');
    const [, first, last] = text.split('## Compaction');
    assert.match(first ?? '', /A newer compaction replaced this summary\.[^]*First sum/);
    assert.match(last ?? '', /The model sees this summary in place of 2 earlier messages\.[^]*Last sum/);
    assert.doesNotMatch(text, /System prompt and tools changed/);
  });

  it('says above the message after a fork point what was tried there and how it ended, as text', async () => {
    const built = session()
      .user('Go') // 1
      .assistant('How?') // 2
      .user('see www.evil.example <img> _a $b') // 3
      .tool('bash', { command: 'make' }, 'no', { message: { isError: true } }) // 4, 5
      .branchFrom(entryId(2))
      .user('use a queue') // 6
      .assistant('Done.'); // 7
    const line =
      '*2 attempts:* “see `www.evil.example` &lt;img&gt; \\_a &#36;b” has no answer, 1 error, &#36;0.04 · **“use a queue” was kept**\n\n## User';
    const document = await markdown(built);
    assert.ok(document.includes(line), document);
    assert.equal(document.split('attempts:').length, 2);
    const read = await readSession(await folder.write('a.jsonl', built.text()));
    const all: string[] = [];
    for await (const part of branchesToMarkdown(read)) all.push(part);
    assert.equal(all.filter((part) => part.includes(line)).length, 1);
    assert.ok(!(await sideToMarkdown(read, entryId(2))).includes('attempts:'));
  });

  it('names the other folders that the session works in, as far as they are some', async () => {
    const more = Array.from({ length: 40 }, (_, index) => `/more/${index}`);
    const built = session({ additionalDirectories: ['/lib', 7, '', '/x'.repeat(4000), '/a`b', ...more] }).user('hello');
    const [, line = ''] = /^- Additional Folders: (.*)$/m.exec(await markdown(built)) ?? [];
    assert.ok(line.startsWith('`/lib`, ``/a`b``, `/more/0`, '), line);
    assert.ok(line.endsWith('`/more/26`'), line);
    assert.ok(!(await markdown(session({ additionalDirectories: 'x' }).user('hello'))).includes('Additional Folders'));
  });

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

Result (error):

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

  it('has the day in headings of other days than that on which the session started', async () => {
    const timestamp = '2026-01-03T08:15:00.000Z';
    const built = session()
      .user('today')
      .user('tomorrow', { timestamp, message: { timestamp: Date.parse(timestamp) } });
    const headings = (await markdown(built)).split('\n').filter((line) => line.startsWith('## '));
    assert.deepEqual(headings, ['## User · 10:00:00', '## User · 2026-01-03 08:15:00']);
  });

  it('has the bookkeeping at the start on one line, and that further on where it happened', async () => {
    const text = await markdown(session().model('p', 'm').thinking('high').custom('x').user('Hi').model('p', 'n').thinking('low'));
    assert.match(text, /\n\n\*model: m\* · \*thinking: high\* · \*custom: x\*\n\n## User/);
    assert.match(text, /> Hi\n\n\*model: n\*\n\n\*thinking: low\*\n$/);
    assert.match(await markdown(session().model('p', 'm').thinking('high')), /\*model: m\* · \*thinking: high\*\n$/);
  });

  it('has the words of a provider’s error, and the recorded text in a block', async () => {
    const recorded = '529 {"type":"error","error":{"message":"Overloaded, see https://x.y"},"note":"```"}';
    const built = session().assistant('', { message: { errorMessage: recorded, stopReason: 'error' } });
    const failure = (text: string): string => text.slice(text.indexOf('*Failed*')).trimEnd();
    assert.equal(
      failure(await markdown(built)),
      `*Failed* 529 Overloaded, see \`https://x.y\`\n\n*Error details*\n\n\`\`\`\`\n${recorded}\n\`\`\`\``,
    );
    const folded: string[] = [];
    for await (const part of branchesToMarkdown(await readSession(await folder.write('a.jsonl', built.text())))) folded.push(part);
    assert.match(folded.join('\n'), /\n\n<details>\n<summary>Error details<\/summary>\n\n````\n529 \{.*\n````\n\n<\/details>/);
    const plain = session().assistant('', { message: { errorMessage: 'terminated', stopReason: 'error' } });
    assert.equal(failure(await markdown(plain)), '*Failed* terminated');
  });

  it('shows an edit by its diff alone', async () => {
    const args = { path: 'a.ts', oldText: 'before\nit', newText: 'after\nit' };
    const diff = { message: { details: { diff: '-1 before\n+1 after' } } };
    const shown = await markdown(session().tool('edit', args, 'Edited.', diff));
    assert.match(shown, /- path: `a\.ts`/);
    assert.doesNotMatch(shown, /oldText|newText/);
    assert.match(shown, /-1 before\n\+1 after/);
    const failed = await markdown(session().tool('edit', args, 'Not found.', { message: { isError: true } }));
    assert.match(failed, /oldText:\n\n```\nbefore/);
  });

  it('shows the position of a compaction', async () => {
    const text = await markdown(session().user('old').user('kept').compaction('what was', entryId(2)).user('new'));
    assert.match(text, /> old\n\n\*The compaction below keeps the messages from here on[^\n]+\*\n\n## User · 10:00:01\n\n> kept/);
    assert.match(text, /Tokens before: 12345\. The model sees this summary in place of 1 earlier messages\.\n\n> what was/);
  });

  it('renders the branch of an entry', async () => {
    const built = session().user('shared').user('left').branchFrom(entryId(1)).user('right');
    assert.match(await markdown(built), /shared[^]+right/);
    assert.doesNotMatch(await markdown(built), /> left/);
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

  describe('of a session that records the system prompt', () => {
    const sections = { preamble: 'You are *pi*.', rules: '```\nrule' };
    const toolsAdded = [{ name: 'read', description: 'Reads a <file>', parameters: { type: 'object' } }];
    const bodyOf = async (given: SessionBuilder, options?: MarkdownOptions): Promise<string> =>
      (await markdown(given, options)).split('\n\n').slice(2).join('\n\n');

    it('has the state that a compaction records, after its summary and what it replaced', async () => {
      const systemMessage = { role: 'system', content: 'Be brief', sections: { docs: '</details>\n# there', old: null }, toolsAdded };
      const built = session()
        .message({ role: 'system', content: '', sections, toolsAdded })
        .user('before')
        .compaction('What was', entryId(2), { systemMessage })
        .user('after');
      const text = await markdown(built);
      const [replaced = '', compaction = ''] = text.split('## Compaction');
      assert.match(replaced, /You are \*pi\*\.[^]*> before/);
      assert.match(
        compaction,
        /> What was\n\n\*\*System prompt and tools\*\*\n\n```\nBe brief\n```\n\nSection `docs`:\n\n```\n<\/details>\n# there\n```\n\nTool `read`: Reads a &lt;file&gt;\n\n```json[^]*## User[^\n]*\n\n> after/,
      );
      assert.doesNotMatch(compaction, /old|changed/);
      const source = await readSession(await folder.write('b.jsonl', built.text()));
      const { path } = await exportSession(source, { format: 'markdown', target: join(folder.path, 'out.md') });
      assert.match(
        await readFile(path, 'utf8'),
        /> What was\n\n<details>\n<summary>System prompt and tools<\/summary>\n\n```\nBe brief\n```[^]*\n\n<\/details>\n\n## User/,
      );
      for (const irregular of [undefined, 7, {}, { role: 'system', content: '' }, { role: 'user', content: 'no prompt' }])
        assert.doesNotMatch(
          await markdown(session().user('a').compaction('b', entryId(1), { systemMessage: irregular })),
          /System prompt|no prompt/,
        );
    });

    it('has the prompt and the tools at the start, and changes where they are', async () => {
      const built = session()
        .message({ role: 'system', content: '', sections, toolsAdded })
        .user('a')
        .message({
          role: 'system',
          content: '',
          sections: { rules: null, docs: 'there' },
          toolsAdded: [{ name: 'ls', description: 'Lists' }],
          toolsRemoved: [{ name: 'read' }],
        });
      assert.equal(
        await bodyOf(built),
        `## System prompt and tools · 10:00:00

Section \`preamble\`:

\`\`\`
You are *pi*.
\`\`\`

Section \`rules\`:

\`\`\`\`
\`\`\`
rule
\`\`\`\`

Tool \`read\`: Reads a &lt;file&gt;

\`\`\`json
{
  "type": "object"
}
\`\`\`

## User · 10:00:01

> a

## System prompt and tools changed · 10:00:02

Section \`docs\` changed to:

\`\`\`
there
\`\`\`

Section \`rules\` was removed.

Tool \`ls\` was added: Lists

Tool \`read\` was removed.
`,
      );
    });

    it('has what oh-my-pi records of a subagent', async () => {
      const init = { systemPrompt: 'You explore.', task: 't', tools: ['read'], outputSchema: { type: 'string' } };
      const text = await bodyOf(session({ title: 'omp' }).entry('session_init', init).user('t'));
      assert.match(text, /^## System prompt and tools[^\n]*\n\n```\nYou explore\.\n```\n\nTool `read`\n\nResponse schema:\n\n```json\n/);
    });

    it('has the report of a rewind under its own heading', async () => {
      const details = { report: '行き止まり' };
      for (const [content, expected] of [
        ['Назад.', /^## Rewound to a checkpoint[^\n]*\n\nНазад\.\n\n> 行き止まり\n$/],
        ['Report:\n行き止まり', /^## Rewound to a checkpoint[^\n]*\n\nReport:\n行き止まり\n$/],
      ] as const)
        assert.match(await bodyOf(session().customMessage('rewind-report', content, { display: false, details })), expected);
    });

    it('shows a system message that is only a text as a message', async () => {
      const text = await bodyOf(session().message({ role: 'system', content: 'Be **brief**.' }));
      assert.match(text, /^## Message of system[^\n]*\n\nBe \*\*brief\*\*\.\n$/);
    });

    it('is cut if there are too many sections, and says how many are missing', async () => {
      const many = Object.fromEntries(Array.from({ length: 1000 }, (_, index) => [`s${String(index)}`, 'x'.repeat(1000)]));
      const text = await bodyOf(session().message({ role: 'system', content: '', sections: many }).user('after'));
      assert.ok(text.length < 200_000, String(text.length));
      const shown = text.match(/^Section /gm)!.length;
      assert.ok(text.includes(`*${String(1000 - shown)} more sections and tools are left out here.*`), text.slice(-300));
      assert.match(text, /> after\n$/);
    });
  });

  it('has nested calls before their result, and the files of a summary unless its text has them', async () => {
    const built = session()
      .user('a')
      .tool('code', { code: 'x' }, 'done', {
        message: { nestedCalls: { calls: [{ name: 'read', arguments: { path: 'nested.ts' }, status: 'ok' }], complete: true } },
      })
      .branchSummary('left', { details: { readFiles: ['r`1.ts'], modifiedFiles: ['m.ts'] } })
      .branchSummary('<read-files>\ntwice.ts\n</read-files>', { details: { readFiles: ['twice.ts'], modifiedFiles: [] } });
    const text = await sessionToMarkdown(await readSession(await folder.write('nested.jsonl', built.text())));
    assert.match(text, /\*\*Nested call\*\* `read`\n\n- path: `nested\.ts`/);
    assert.match(text, /Files read: ``r`1\.ts``\n\nFiles changed: `m\.ts`/);
    assert.equal(text.split('Files read').length, 2);
    assert.ok(!text.includes('Some of this tool’s calls weren’t recorded.'));
  });

  it('says how long answers and calls took, that an answer comes later, and that a nested call wasn’t finished', async () => {
    const calls = [
      { name: 'read', status: 'ok', durationMs: 12 },
      { name: 'bash', status: 'unfinished' },
    ];
    const built = session()
      .user('a')
      .assistant('b', { message: { durationMs: 65_400 } })
      .tool('code', { code: 'x' }, 'done', { message: { durationMs: 1530, nestedCalls: { calls, complete: true } } })
      .message({ role: 'toolResult', toolCallId: 'none', toolName: 'late', content: [], durationMs: 2000 })
      .assistant([], { message: { stopReason: 'deferred', durationMs: 'x' } });
    const text = await markdown(built);
    assert.match(text, /## Assistant · anthropic\/claude-x · [\d:]{8} · 1 min 5 s\n\nb/);
    assert.match(text, /\*\*Tool\*\* `code` · 1\.5 s\n/);
    assert.match(text, /\*\*Nested call\*\* `read` · 12 ms\n\n\*\*Nested call\*\* `bash` · \*not finished\*\n/);
    assert.match(text, /\*\*Result of late\*\* · 2 s\n/);
    assert.match(text, /## Assistant · anthropic\/claude-x · [\d:]{8}\n\n\*Deferred: the provider delivers the answer later\*/);
    const found = await readSession(await folder.write('a.jsonl', built.text()));
    const folded: string[] = [];
    for await (const part of branchesToMarkdown(found)) folded.push(part);
    assert.match(folded.join('\n'), /<summary>Tool <code>code<\/code> · 1\.5 s<\/summary>/);
    const side = await sideToMarkdown(found, null);
    assert.match(side, /\*\*Tool\*\* `code`\n/);
    assert.doesNotMatch(side, / (?:m?s|min)\n/, 'answers that say the same are equal in a comparison');
  });

  it('names the sessions of subagents at the call that started them', async () => {
    const details = { results: [{ agent: 'sc*ut', sessionFile: '/s/p/run-0/session.jsonl', artifactPaths: { jsonlPath: '/log.jsonl' } }] };
    const call = (name: string): SessionBuilder =>
      session().user('a').tool(name, { task: 'x' }, 'done', { message: { details } }).assistant('b');
    assert.match(await markdown(call('subagent')), /\nSessions of subagents: sc\\\*ut `\/s\/p\/run-0\/session\.jsonl`\n/);
    assert.doesNotMatch(await markdown(call('read')), /Sessions of subagents/);
  });

  it('keeps a call and its result together when bookkeeping is between them', async () => {
    const callOf = (id: string): object => ({ type: 'toolCall', id, name: `tool-${id}`, arguments: {} });
    const resultOf = (toolCallId: string): object => ({ role: 'toolResult', toolCallId, toolName: 'code', content: `of ${toolCallId}` });
    const built = session()
      .user('a')
      .assistant([callOf('a'), callOf('b')])
      .custom('codemode-store', { set: { cursor: 7 }, delete: [] })
      .message(resultOf('a') as Fields)
      .custom('mine')
      .message(resultOf('b') as Fields)
      .assistant([callOf('c')])
      .user('meanwhile')
      .message(resultOf('c') as Fields);
    const text = await markdown(built);
    const order = [
      'tool-a',
      'of a',
      'tool-b',
      'of b',
      'custom: codemode-store',
      'custom: mine',
      'tool-c',
      'meanwhile',
      'Result of code',
      'of c',
    ];
    assert.deepEqual(
      [...order].sort((one, other) => text.indexOf(one) - text.indexOf(other)),
      order,
    );
    assert.equal(text.split('Result of').length, 2, 'what a person said ends the answer');
  });

  it('says that nested calls are missing, and has the short form of a compaction’s summary', async () => {
    const calls = [{ name: 'read', status: 'ok' }];
    const built = session()
      .user('a')
      .tool('code', { code: 'x' }, 'done', { message: { nestedCalls: { calls, complete: false } } })
      .compaction('the long one', entryId(1), { shortSummary: 'In *short*\nwords' })
      .compaction('another', entryId(1), { shortSummary: 7 });
    const text = await sessionToMarkdown(await readSession(await folder.write('short.jsonl', built.text())));
    assert.match(text, /`read`\n\n\*Some of this tool’s calls weren’t recorded\.\*\n\nResult:/);
    assert.match(text, /\*\*In \\\*short\\\* words\*\*\n\n> the long one/);
    assert.match(text, /messages\.\n\n> another/);
  });
});
