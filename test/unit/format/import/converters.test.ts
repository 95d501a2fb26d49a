import assert from 'node:assert/strict';
import { createForeignConverter } from '../../../../src/core/format/import/foreignConverter';
import { foreignProgramOf, type ForeignProgram } from '../../../../src/core/format/import/foreignFormat';
import { OmissionList } from '../../../../src/core/format/import/omissions';
import { ClaudeBuilder, claudeSession, codexCalls, codexLines, codexSession } from '../../../fixtures/foreignSessions';
import { countingStamp } from '../../../fixtures/writes';

interface Converted {
  readonly entries: readonly Record<string, unknown>[];
  readonly leafId: string | null;
  readonly omissions: readonly string[];
}

function convert(program: ForeignProgram, text: string): Converted {
  const omissions = new OmissionList();
  const converter = createForeignConverter(program, countingStamp(), omissions);
  const lines = text.trimEnd().split('\n');
  const entries = lines.flatMap((line, at) => converter.add(JSON.parse(line) as Record<string, unknown>, at + 1));
  return { entries: [...entries, ...converter.end()], leafId: converter.leafId, omissions: omissions.list().map(({ message }) => message) };
}

const messageOf = (entry: Record<string, unknown> | undefined): Record<string, unknown> =>
  (entry?.['message'] ?? {}) as Record<string, unknown>;
const shapes = ({ entries }: Converted): string[] =>
  entries.map((entry) =>
    [entry['id'], entry['parentId'], entry['type'] === 'message' ? messageOf(entry)['role'] : entry['type']].join(' '),
  );

describe('A session of Claude Code', () => {
  const converted = convert('claude-code', claudeSession());
  const byId = new Map(converted.entries.map((entry) => [entry['id'], entry]));

  it('keeps its tree: one entry for an answer, its results in a chain, rewound prompts and subagents as branches', () => {
    assert.deepEqual(shapes(converted), [
      'uuid-1  custom_message',
      'uuid-2 uuid-1 user',
      'uuid-3 uuid-2 assistant',
      'uuid-6 uuid-3 toolResult',
      'uuid-8 uuid-6 toolResult',
      'uuid-9 uuid-8 assistant',
      'uuid-10 uuid-9 user',
      'uuid-11 uuid-10 assistant',
      'uuid-12 uuid-9 user',
      'uuid-13  user',
      'uuid-15 uuid-12 assistant',
      'uuid-17 uuid-15 compaction',
      'uuid-18 uuid-17 user',
      'uuid-19 uuid-18 assistant',
      'uuid-14 uuid-13 assistant',
      'uuid-20 uuid-19 assistant',
      'f0000001 uuid-20 session_info',
    ]);
    assert.equal(converted.leafId, 'f0000001');
  });

  it('keeps thinking with its signature, tool calls, their results with details, and images', () => {
    assert.deepEqual(messageOf(byId.get('uuid-3'))['content'], [
      { type: 'thinking', thinking: 'Two reads.', thinkingSignature: 'c2ln' },
      { type: 'toolCall', id: 'call-a', name: 'Read', arguments: { file_path: '/work/demo/a.ts' } },
      { type: 'toolCall', id: 'call-b', name: 'Read', arguments: { file_path: '/work/demo/b.ts' } },
    ]);
    assert.equal(messageOf(byId.get('uuid-3'))['stopReason'], 'toolUse');
    const { details, ...result } = messageOf(byId.get('uuid-6'));
    assert.deepEqual(result, {
      role: 'toolResult',
      toolCallId: 'call-a',
      toolName: 'Read',
      content: [{ type: 'text', text: 'text of a' }],
      isError: false,
      timestamp: Date.parse('2026-01-02T10:00:06.000Z'),
    });
    assert.deepEqual(details, { toolUseResult: { type: 'text', file: { filePath: '/work/demo/a.ts' } } });
    assert.deepEqual((messageOf(byId.get('uuid-8'))['content'] as unknown[])[1], {
      type: 'image',
      data: 'iVBORw0KGgo=',
      mimeType: 'image/png',
    });
  });

  it('counts the usage of an answer once, although each of its lines has it', () => {
    const usage = { input: 3, output: 7, cacheRead: 100, cacheWrite: 20, totalTokens: 130 };
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0, total: 0 };
    assert.deepEqual(messageOf(byId.get('uuid-3'))['usage'], { ...usage, cost });
    // A line of an answer that was already continued is an entry of its own.
    const late = new ClaudeBuilder().assistant('m', { type: 'text', text: 'a' }).user('b');
    const { entries } = convert('claude-code', late.from('uuid-1').assistant('m', { type: 'text', text: 'c' }).text());
    assert.deepEqual(
      entries.map((entry) => (messageOf(entry)['usage'] as Record<string, unknown> | undefined)?.['input']),
      [3, undefined, 0],
    );
  });

  it('has a compaction where the program had one, and errors as errors', () => {
    const { summary, firstKeptEntryId, tokensBefore } = byId.get('uuid-17') ?? {};
    assert.deepEqual(
      [summary, firstKeptEntryId, tokensBefore],
      ['This session is being continued. Summary: two files.', 'uuid-17', 155000],
    );
    const { stopReason, errorMessage, model } = messageOf(byId.get('uuid-19'));
    assert.deepEqual([stopReason, errorMessage, model], ['error', 'API Error: 529', 'claude-opus-4-5']);
  });

  it('keeps what a compaction kept', () => {
    const builder = new ClaudeBuilder().user('one').assistant('m', { type: 'text', text: 'two' }).user('three');
    const kept = builder
      .from(null)
      .line('system', {
        subtype: 'compact_boundary',
        logicalParentUuid: 'written-later',
        compactMetadata: { preTokens: 9, preservedSegment: { headUuid: 'uuid-2', anchorUuid: 'uuid-5', tailUuid: 'written-later' } },
      })
      .user('Summary.', { isCompactSummary: true });
    const compaction = convert('claude-code', kept.text()).entries.at(-1);
    assert.deepEqual([compaction?.['parentId'], compaction?.['firstKeptEntryId']], ['uuid-3', 'uuid-2']);
  });

  it('puts a compaction behind the branch that was compacted, also if its summary names no parent', () => {
    const builder = new ClaudeBuilder().user('one').assistant('m', { type: 'text', text: 'two' });
    const branched = builder.from('uuid-1').user('another branch');
    const compacted = branched
      .from(null)
      .line('system', { subtype: 'compact_boundary', logicalParentUuid: 'uuid-2' })
      .from(null)
      .user('Summary.', { isCompactSummary: true });
    assert.equal(convert('claude-code', compacted.text()).entries.at(-1)?.['parentId'], 'uuid-2');
  });

  it('names what has no place, by kind and line', () => {
    assert.deepEqual(converted.omissions, [
      'Left out of messages because pi’s format has nothing like it: “document” (lines 13)',
      'Kept the messages of subagents as branches of their own (lines 14, 15)',
    ]);
  });

  it('attaches a line whose parent is missing to the one before, and reads a repeated line once', () => {
    const text = new ClaudeBuilder().user('one').from('gone').user('two').text();
    const [first = ''] = text.split('\n');
    const other = first.replace('one', 'another');
    const { entries, omissions } = convert('claude-code', `${text}${first}\n${other}\n`);
    assert.deepEqual(shapes({ entries, leafId: null, omissions }), ['uuid-1  user', 'uuid-2 uuid-1 user']);
    assert.deepEqual(omissions, [
      'Attached to the entry before because the parent isn’t in the file (lines 2)',
      'Left out because an earlier line has the same ID (lines 4)',
    ]);
  });
});

describe('A session of Codex', () => {
  const converted = convert('codex', codexSession());
  const { entries } = converted;

  it('is a chain, with turns that were rolled back as a branch', () => {
    const kinds = entries.map((entry) => String(entry['type'] === 'message' ? messageOf(entry)['role'] : entry['type']));
    assert.deepEqual(kinds, [
      'custom_message',
      'custom_message',
      'model_change',
      'thinking_level_change',
      'user',
      'assistant',
      'toolResult',
      'assistant',
      'toolResult',
      'assistant',
      'user',
      'assistant',
      'user',
      'assistant',
      'toolResult',
      'compaction',
      'custom_message',
      'user',
      'assistant',
    ]);
    assert.deepEqual([entries[12]?.['parentId'], entries[10]?.['parentId']], [entries[9]?.['id'], entries[9]?.['id']]);
    assert.equal(converted.leafId, entries.at(-1)?.['id']);
  });

  it('keeps thinking as pi sends it back, tool calls and their results', () => {
    const [thinking, call] = messageOf(entries[5])['content'] as (Record<string, unknown> | undefined)[];
    assert.equal(thinking?.['thinking'], 'Listing.');
    assert.equal((JSON.parse(String(thinking['thinkingSignature'])) as Record<string, unknown>)['encrypted_content'], 'gAAA');
    assert.deepEqual(call, { type: 'toolCall', id: 'call-1', name: 'shell', arguments: { command: ['ls'] } });
    assert.deepEqual(messageOf(entries[6])['content'], [{ type: 'text', text: 'a.ts\nb.ts' }]);
    assert.deepEqual((messageOf(entries[7])['content'] as unknown[])[0], {
      type: 'toolCall',
      id: 'call-2',
      name: 'apply_patch',
      arguments: { input: '*** Begin Patch' },
    });
    assert.equal(messageOf(entries[8])['toolName'], 'apply_patch');
  });

  it('has the usage of each answer once, without the cached part in the input', () => {
    const usages = [5, 7, 9].map((at) => messageOf(entries[at])['usage'] as Record<string, unknown>);
    assert.deepEqual(
      usages.map(({ input, output, cacheRead, reasoning }) => [input, output, cacheRead, reasoning]),
      [
        [60, 9, 40, 4],
        [0, 0, 0, undefined],
        [80, 9, 40, 4],
      ],
    );
  });

  it('has the usage of each answer if it is counted before its items, as some versions do, and again behind them', () => {
    const item = (payload: object): string => JSON.stringify({ timestamp: '2026-01-02T10:00:00.000Z', type: 'response_item', payload });
    const prompt = item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Go' }] });
    const call = (id: string): string =>
      item({ type: 'reasoning', summary: [] }) +
      `\n${item({ type: 'function_call', name: 'shell', arguments: '{}', call_id: id })}` +
      `\n${item({ type: 'function_call_output', call_id: id, output: 'ok' })}`;
    const count = (total: number, output: number): string =>
      JSON.stringify({
        timestamp: '2026-01-02T10:00:00.000Z',
        type: 'event_msg',
        payload: {
          type: 'token_count',
          info: { total_token_usage: { total_tokens: total }, last_token_usage: { input_tokens: 10, output_tokens: output } },
        },
      });
    const lines = [prompt, count(1, 1), call('a'), count(1, 1), count(2, 2), call('b'), count(2, 2), count(3, 3), call('c'), prompt];
    const { entries, omissions } = convert('codex', [...lines, count(4, 4), prompt].join('\n'));
    const outputs = entries.flatMap((entry) => {
      const { role, usage } = messageOf(entry) as { role?: string; usage?: { output: number } };
      return role === 'assistant' ? [usage?.output] : [];
    });
    assert.deepEqual(outputs, [1, 2, 3]);
    const alone = entries.filter(({ type }) => type === 'usage').map(({ usage }) => (usage as { output: number }).output);
    assert.deepEqual([alone, omissions], [[4], []]);
  });

  it('has the summary of a compaction and the messages that were kept, unless the summary is encrypted', () => {
    const { summary, tokensBefore } = entries[15] ?? {};
    assert.equal(summary, 'Summary: files were listed.');
    assert.deepEqual(entries[16]?.['content'], [{ type: 'text', text: 'A right turn' }]);
    assert.equal(tokensBefore, 129);
    assert.deepEqual((messageOf(entries[17])['content'] as unknown[])[1], { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' });
  });

  it('names what has no place, by kind and line', () => {
    assert.deepEqual(converted.omissions, [
      'Left out the system prompt because the program that continues adds its own (lines 1)',
      'Left out a compaction because its summary can’t be read, so the context has all messages (lines 25)',
    ]);
  });

  it('is read in its early form, too: items without a payload', () => {
    const items = [
      { id: 'early', timestamp: '2025-05-07T17:24:21.597Z', instructions: null },
      { record_type: 'state' },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'hi' }] },
      { type: 'function_call', name: 'shell', arguments: 'not JSON', call_id: 'c' },
    ];
    assert.equal(foreignProgramOf(items[0]!), 'codex');
    const { entries: early, omissions } = convert('codex', items.map((item) => JSON.stringify(item)).join('\n'));
    assert.deepEqual(
      early.map((entry) => messageOf(entry)['role']),
      ['user', 'assistant'],
    );
    assert.deepEqual(omissions, ['Kept as text because the arguments of the tool call aren’t an object (lines 4)']);
  });

  it('keeps calls that the provider runs, images, and what commands answered, of any version', () => {
    const { entries: calls, omissions } = convert('codex', codexCalls());
    const blocks = calls.flatMap((entry) => {
      const { role, content = [], toolCallId, isError } = messageOf(entry);
      return role === 'toolResult' ? [[toolCallId, isError, content]] : role === 'assistant' ? [content] : [];
    });
    const call = (id: string, name: string, args: object): object[] => [{ type: 'toolCall', id, name, arguments: args }];
    const text = (value: string): object[] => [{ type: 'text', text: value }];
    assert.deepEqual(blocks, [
      call('line-3', 'web_search', { type: 'search', query: 'x', queries: ['x'] }),
      ['line-3', false, text('completed')],
      call('call-1', 'tool_search', { query: 'files' }),
      ['call-1', false, text('[{"name":"list"}]')],
      call('call-2', 'mcp__files__list', {}),
      ['call-2', false, text('a.ts')],
      call('ig_1', 'image_generation', { prompt: 'A cat' }),
      ['ig_1', false, [{ type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' }]],
      call('call-3', 'shell', { command: ['ls'] }),
      ['call-3', true, text('none\n')],
      call('line-13', 'image_generation', { prompt: '' }),
      ['line-13', true, []],
      text('Done.'),
    ]);
    const agent = calls.find(({ customType }) => customType === 'codex.agent');
    assert.deepEqual([agent?.['content'], agent?.['details']], [text('I read it.'), { author: '/root/reader', recipient: '/root' }]);
    assert.deepEqual(omissions, [
      'Left out of messages because pi’s format has nothing like it: “encrypted_content” (lines 12)',
      'Left out images that aren’t in the file (lines 13)',
      'Left out a compaction because its summary can’t be read, so the context has all messages (lines 14)',
    ]);
  });

  it('can’t be rolled back beyond its first prompt', () => {
    const { entries: rolled } = convert(
      'codex',
      codexLines(
        ['response_item', { type: 'message', role: 'user', content: 'one' }],
        ['event_msg', { type: 'thread_rolled_back', num_turns: 1e9 }],
        ['event_msg', { type: 'thread_rolled_back', num_turns: -1 }],
        ['response_item', { type: 'message', role: 'user', content: 'two' }],
      ),
    );
    assert.deepEqual(
      rolled.map(({ parentId }) => parentId),
      [null, null],
    );
  });
});

describe('An answer with hundreds of thousands of texts', () => {
  const count = 200_000;
  const timestamp = '2026-01-01T00:00:00.000Z';
  const texts = (type: string): unknown[] => Array<unknown>(count).fill({ type, text: 'a' });
  const answers: Record<ForeignProgram, Record<string, unknown>> = {
    'claude-code': { type: 'assistant', uuid: 'a', timestamp, message: { id: 'm', role: 'assistant', content: texts('text') } },
    codex: { timestamp, type: 'response_item', payload: { type: 'message', role: 'assistant', content: texts('output_text') } },
  };
  for (const [program, line] of Object.entries(answers))
    it(`is kept whole: ${program}`, () => {
      const { entries } = convert(program as ForeignProgram, JSON.stringify(line));
      assert.equal((messageOf(entries.at(-1))['content'] as unknown[]).length, count);
    });
});

describe('The names of a session of Claude Code', () => {
  it('are one name: the one that the person chose, otherwise the newest. The others are no omissions', () => {
    const lines = [
      { type: 'summary', summary: 'first', leafUuid: 'x' },
      { type: 'summary', summary: 'second', leafUuid: 'x' },
      { type: 'user', uuid: 'u', parentUuid: null, timestamp: '2026-01-01T00:00:00.000Z', message: { role: 'user', content: 'hi' } },
      { type: 'ai-title', aiTitle: 'made' },
      { type: 'custom-title', customTitle: 'chosen' },
      { type: 'custom-title', customTitle: 'chosen' },
    ];
    const { entries, omissions } = convert('claude-code', lines.map((line) => JSON.stringify(line)).join('\n'));
    assert.deepEqual([entries.at(-1)?.['name'], omissions], ['chosen', []]);
    const made = convert(
      'claude-code',
      [...lines.slice(0, 3), { ...lines[3], aiTitle: 'newer' }].map((line) => JSON.stringify(line)).join('\n'),
    );
    assert.equal(made.entries.at(-1)?.['name'], 'newer');
  });
});

describe('Lines of Claude Code that wait for others', () => {
  const line = (uuid: string, parentUuid: string | null): Record<string, unknown> => ({
    ...{ type: 'user', uuid, parentUuid, timestamp: '2026-01-01T00:00:00.000Z' },
    message: { role: 'user', content: uuid },
  });

  it('are read once, also if they wait for each other, for themselves, or for one that is too far away', () => {
    const circles = Array.from({ length: 5000 }, (_, at) => [
      line(`a${String(at)}`, `b${String(at)}`),
      line(`b${String(at)}`, `a${String(at)}`),
    ]);
    const lines = [line('self', 'self'), line('far', 'last'), ...circles.flat(), line('last', null)];
    const { entries, omissions } = convert('claude-code', lines.map((one) => JSON.stringify(one)).join('\n'));
    assert.equal(new Set(entries.map(({ id }) => id)).size, lines.length);
    assert.equal(entries.length, lines.length);
    const known = new Set<unknown>([null]);
    for (const { id, parentId } of entries) {
      assert.ok(known.has(parentId), String(id));
      known.add(id);
    }
    assert.equal(omissions.length, 1);
  });

  it('hold a bounded number of lines, and of characters', () => {
    const omissions = new OmissionList();
    const converter = createForeignConverter('claude-code', countingStamp(), omissions);
    assert.equal(converter.add(line('first', 'gone'), 1, 1).length, 0);
    assert.equal(converter.add(line('second', null), 2, 16 * 1024 * 1024).length, 1);
    for (let at = 0; at < 2000; at++) converter.add(line(`u${String(at)}`, null), at + 3, 1);
    assert.equal(converter.add(line('next', null), 2002, 1).length, 1);
  });
});

describe('The list of omissions', () => {
  it('is bounded, whatever types a file has', () => {
    const omissions = new OmissionList();
    for (let line = 1; line <= 5000; line++) omissions.add('line-type', line, `type ${String(line)} ${'x'.repeat(500)}`);
    const list = omissions.list();
    assert.ok(list.length <= 101);
    assert.ok(list.every(({ lines, message }) => lines.length <= 20 && message.length < 400));
    assert.equal(
      list.reduce((sum, { count }) => sum + count, 0),
      5000,
    );
  });
});
