import assert from 'node:assert/strict';
import { contextPlan, entryPlainText, modelName, toLlmText, type Content, type Entry } from '../../../src/core/index';
import { describeEntry, describeMessage, describeToolCall } from '../../../src/core/format/entry/rowText';
import { entryMessages } from '../../../src/core/format/context/contextMessages';
import { markdownSection } from '../../../src/core/format/context/markdown/markdownSection';
import { normalizeMarkdown } from '../../../src/core/format/text/markdown/markdownProse';
import { finishSteps } from '../../../src/core/format/session/steps';
import { newEntryId } from '../../../src/core/format/write/sessionNames';
import { formatMessage } from '../../../src/core/format/entry/problem';
import { readLine } from '../../../src/core/format/parse/readLine';
import { SessionReader } from '../../../src/core/format/session/read/sessionReader';
import { parseEntry } from '../../../src/core/format/entry/parseEntry';
import { entryId, session } from '../../fixtures/build';
import { read } from '../../fixtures/read';

const normalized = (text: string): string => finishSteps(normalizeMarkdown(text));

const entry = (line: object): Entry => parseEntry(line as Record<string, unknown>, { id: 'a', parentId: null });
const message = (fields: object): Entry => entry({ type: 'message', message: fields });
const BASES = { home: '', cwd: '' };
/** A value that is nested more deeply than programs write, and than `JSON.stringify` can serialize. */
const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;

describe('The text of an entry', () => {
  it('is the text of a message, a command or a summary', () => {
    const texts: [Entry, string][] = [
      [message({ role: 'user', content: 'said' }), 'said'],
      [message({ role: 'assistant', content: [{ type: 'thinking', thinking: 'no' }], errorMessage: 'failed' }), 'failed'],
      [message({ role: 'assistant', content: [] }), ''],
      [message({ role: 'bashExecution', command: 'ls' }), 'ls'],
      [message({ role: 'pythonExecution', code: 'print(1)' }), 'print(1)'],
      [message({ role: 'bashExecution' }), ''],
      [message({ role: 'branchSummary', summary: 's' }), 's'],
      [message({ role: 'compactionSummary' }), ''],
      [entry({ type: 'custom_message', content: [{ type: 'text', text: 'c' }] }), 'c'],
      [entry({ type: 'compaction', summary: 'k' }), 'k'],
      [entry({ type: 'branch_summary' }), ''],
      [entry({ type: 'label', label: 'l' }), ''],
    ];
    for (const [of, text] of texts) assert.equal(entryPlainText(of), text, JSON.stringify(of));
  });
});

describe('Values of unexpected types', () => {
  it('make no row, and break none', () => {
    assert.equal(describeEntry({ type: 'ttsr_injection', injectedRules: ['a', { toString: 1 }, [['b']], 'c'] }), '[rules: a, c]');
    assert.equal(describeEntry({ type: 'ttsr_injection', injectedRules: 'a' }), '[rules: ]');
    assert.equal(describeEntry({ type: 'active_tools_change' }), '[tools: 0]');
    assert.equal(describeMessage({ role: 'pythonExecution', code: 7 }, undefined), '[python]: ');
    assert.equal(describeToolCall('mine', deep, BASES), '[mine: …]');
    assert.equal(describeToolCall('read', { path: deep }, BASES), '[read: …]');
  });

  it('are ignored in headers: texts are strings, and a version is a number', () => {
    const found = read(
      '{"type":"session","version":"3","id":"s","provider":{},"modelId":[],"thinkingLevel":4,"parentSession":5,"branchedFrom":null,"own":[1]}\n',
    );
    assert.deepEqual(found.header, { type: 'session', id: 's', timestamp: '', cwd: '', own: [1] });
    assert.deepEqual([found.version, contextPlan(found).settings], [1, { thinkingLevel: 'off', model: null }]);
  });

  it('are ignored as times that a Date cannot have', () => {
    const found = read(
      session()
        .user('a', { message: { timestamp: 1e300 } })
        .user('b', { message: { timestamp: 8.64e15 } }),
    );
    assert.deepEqual(
      found.entries.map((head) => head.messageTime),
      [undefined, 8.64e15],
    );
  });

  it('are neither blocks nor messages', () => {
    const odd = message({ role: 'user', content: [{ type: { toString: 1 }, text: 'x' }, { type: 'thinking' }] });
    assert.deepEqual((odd['message'] as { content: unknown }).content, [
      { type: { toString: 1 }, text: 'x' },
      { type: 'thinking', thinking: '' },
    ]);
    assert.deepEqual(message({ content: null, role: 3 })['message'], { role: 'other', content: [] });
    assert.deepEqual(entryMessages(entry({ type: 'context_edit', targetId: 'x', replacement: null })), []);
    assert.equal(
      toLlmText([
        { role: 'user', content: [{ type: 'other' }, { type: 'toolCall', name: 'n', arguments: { deep } }] as unknown as Content },
      ]),
      '[user]\n[call n] …\n',
    );
  });

  it('still make sections of a document', () => {
    const section = (of: Entry): string =>
      finishSteps(
        markdownSection(
          { head: { ...read(session().user('x')).entries[0]! }, entry: of, results: [] },
          { translate: formatMessage, labels: new Map() },
        ),
      );
    assert.match(section(message({ role: 'compactionSummary', summary: 'was' })), /## Summary.*\n\n> was/);
    assert.match(
      section(message({ role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'n', arguments: { deep, short: [1] } }] })),
      /deep: `…`/,
    );
    assert.match(section(message({ role: 'assistant', content: 'plain', stopReason: 'aborted' })), /plain\n\n\*Aborted\*/);
    assert.match(section(message({ role: 'toolResult' })), /## Result of \?.*\n\nResult:\n\n\*nothing\*/);
    assert.match(
      section(message({ role: 'bashExecution', cancelled: true, truncated: true, excludeFromContext: true, exitCode: 2 })),
      /\*canceled, exit code 2, output truncated, not shown to the model\*/,
    );
    assert.match(
      section(
        message({
          role: 'user',
          content: [{ type: 'image', mimeType: 'image/png', data: 'blob:sha256:0' }, { type: 'image', data: 'AAA=' }, { type: '?' }],
        }),
      ),
      /stored next to the session[^]*1 KB/,
    );
    for (const place of [
      { data: 'https://x.example/a.png' },
      { url: 'https://x.example/a.png' },
      { source: { url: 'https://x.example/a.png' } },
      { image_url: { url: 'https://x.example/a.png' } },
    ]) {
      const shown = section(message({ role: 'user', content: [{ type: 'image', mimeType: 'image/png', ...place }] }));
      assert.match(shown, /Image at an address that isn’t opened: `https:\/\/x\.example\/a\.png`/);
      assert.doesNotMatch(shown, /KB|!\[/);
    }
  });

  it('change no setting of a context', () => {
    const omp = read(
      session({ provider: 'p', modelId: 'm', thinkingLevel: 'low', title: '' })
        .entry('thinking_level_change', { thinkingLevel: 4 })
        .entry('mode_change', { mode: [] })
        .entry('model_change', { model: 'plain', role: 'smol' })
        .assistant('fallback', { message: { model: 7 } }),
    );
    assert.equal(omp.dialect, 'omp');
    assert.deepEqual(contextPlan(omp).settings, {
      thinkingLevel: 'off',
      model: { provider: 'p', modelId: 'm' },
      models: { default: 'p/m', smol: 'plain' },
      injectedTtsrRules: [],
      mode: 'none',
    });
    assert.deepEqual(contextPlan(read(session().entry('thinking_level_change', { thinkingLevel: 4 }))).settings.thinkingLevel, 'off');
    assert.equal(modelName({ provider: '', modelId: 'm' }), 'm');
  });
});

describe('Lines of any length', () => {
  it('take linear time', () => {
    const blanks = ' '.repeat(400_000);
    assert.equal(readLine(`{"type":"x"${blanks}!`).kind, 'bad');
    assert.equal(readLine(`\0${blanks}{"type":"x"}{"type":"y"}${blanks}\0\uFEFF\r`).kind, 'objects');
    assert.equal(normalized(`# a${blanks}b`), `**a${blanks}b**`);
    assert.equal(normalized(`# a ${'#'.repeat(400_000)}`), '**a**');
    assert.equal(normalized('# C#'), '**C\\#**');
    assert.equal(normalized(`${'\\'.repeat(400_000)}<b`), `${'\\'.repeat(400_000)}&lt;b`);
    assert.ok(normalized(`${'~'.repeat(100_000)}\u2028x`).startsWith('```'));
  });

  it('with very many objects are read in one pass', () => {
    const count = 60_000;
    const found = read(`${session().text()}${'{"type":"custom","id":"ä"}'.repeat(count)}\n`);
    assert.deepEqual([found.entries.length, found.entries[0]!.offset], [1, session().text().length + (count - 1) * 27]);
  });
});

describe('A line that is too long for a string', () => {
  it('is reported, and reading continues after it', () => {
    const reader = new SessionReader({ path: '/a', home: '' });
    const lines = session().user('a').lines();
    finishSteps(reader.add(lines[0]!, { line: 1, offset: 0, length: lines[0]!.length, hasLineBreak: true }));
    reader.skip({ line: 2, offset: 200, length: 6e8, hasLineBreak: true });
    finishSteps(reader.add(lines[1]!, { line: 3, offset: 6e8 + 201, length: lines[1]!.length, hasLineBreak: true }));
    reader.skip({ line: 4, offset: 7e8, length: 6e8, hasLineBreak: false });
    const found = reader.session();
    assert.deepEqual(
      found.problems.map(({ code, line, args }) => [code, line, args['bytes']]),
      [
        ['long-line', 2, 6e8],
        ['long-line', 4, 6e8],
      ],
    );
    assert.deepEqual([found.leafId, found.byId.get(entryId(1))?.offset], [entryId(1), 6e8 + 201]);
  });
});

describe('Ids', () => {
  it('are refused with an error if all are used', () => {
    assert.throws(() => newEntryId({ id: () => 'same', now: () => new Date(0) }, new Set(['same'])), { code: 'invalid' });
  });
});
