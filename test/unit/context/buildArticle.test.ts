import assert from 'node:assert/strict';
import { buildArticle as buildSteps, type ArticleSource, type BuiltArticle } from '../../../src/context/articles/buildArticle';
import { finishSteps } from '../../../src/core/format/session/steps';
import type { Part, ShownStatus } from '../../../src/context/shared/protocol';
import type { Message } from '../../../src/core/index';

const source = (...messages: object[]): ArticleSource => ({
  key: 'k',
  bases: { home: '/home/me', cwd: '/work/demo' },
  messages: messages as Message[],
  entries: messages.map((_, index) => ({ id: `e${index}`, time: 1000 * index })),
});
const buildArticle = (from: ArticleSource): BuiltArticle => finishSteps(buildSteps(from));
const parts = (...messages: object[]): readonly Part[] => buildArticle(source(...messages)).article.parts;
const call = (id: string, args: object = { command: 'ls' }): object => ({ type: 'toolCall', id, name: 'bash', arguments: args });
const result = (toolCallId: string, more: object = {}): object => ({
  role: 'toolResult',
  toolCallId,
  toolName: 'bash',
  content: [{ type: 'text', text: `of ${toolCallId}\n` }],
  ...more,
});

describe('buildArticle', () => {
  it('builds a user message', () => {
    const { article } = buildArticle({ ...source({ role: 'user', content: 'hi **there**' }), label: 'start' });
    assert.deepEqual(article, {
      key: 'k',
      kind: 'user',
      entryId: 'e0',
      time: 0,
      label: 'start',
      parts: [{ kind: 'markdown', text: { text: 'hi **there**', nth: 0 } }],
    });
  });

  it('folds what a program put around a user message', () => {
    const built = buildArticle(source({ role: 'user', content: '[Tue 2026-05-05 09:41 GMT+8] hi\n\n<file name="/a.md">\nA\n</file>' }));
    assert.deepEqual(
      built.article.parts.map((part) => (part.kind === 'fold' ? [part.content, part.summary, part.parts.length] : part.kind)),
      [['wrapper', '[Tue 2026-05-05 09:41 GMT+8]', 1], 'markdown', ['wrapper', '<file name="/a.md"> A </file>', 1]],
    );
    assert.deepEqual(built.texts, ['[Tue 2026-05-05 09:41 GMT+8]', 'hi', '\n\n<file name="/a.md">\nA\n</file>']);
  });

  it('folds a message that its program hides', () => {
    const custom = { role: 'custom', customType: 'note', content: 'for the\nmodel' };
    const { article } = buildArticle(source({ ...custom, display: false }));
    const text = { kind: 'markdown', text: { text: 'for the\nmodel', nth: 0 } };
    assert.deepEqual(
      [article.isHidden, article.parts],
      [true, [{ kind: 'fold', content: 'hidden', summary: 'for the model', parts: [text] }]],
    );
    for (const shown of [custom, { ...custom, display: true }]) {
      const built = buildArticle(source(shown)).article;
      assert.deepEqual([built.isHidden, built.parts], [undefined, [text]]);
    }
  });

  it('joins an answer and its tool results, each with its entry', () => {
    const found = parts(
      { role: 'assistant', content: [{ type: 'thinking', thinking: 'hm' }, { type: 'text', text: 'so' }, call('a'), call('b')] },
      result('b', { isError: true }),
      result('a'),
    );
    assert.deepEqual(
      found.map((part) => (part.kind === 'tool' ? [part.summary, part.state, part.entryId, part.result] : part.kind)),
      [
        'thinking',
        'markdown',
        ['ls', 'ok', 'e2', [{ kind: 'output', text: { text: 'of a', nth: 2 } }]],
        ['ls', 'error', 'e1', [{ kind: 'output', text: { text: 'of b', nth: 3 } }]],
      ],
    );
  });

  it('has a status if the model receives the message in another form, or not at all', () => {
    const entries = (...statuses: (ShownStatus | undefined)[]): ArticleSource['entries'] =>
      statuses.map((contextStatus, index) => ({ id: `e${index}`, time: 0, ...(contextStatus ? { contextStatus } : {}) }));
    const turn = source({ role: 'assistant', content: [call('a')] }, result('a'));
    const statusesIn = (given: ArticleSource): unknown => {
      const { article } = buildArticle(given);
      return [article.contextStatus, ...article.parts.map((part) => (part.kind === 'tool' ? part.contextStatus : part.kind))];
    };
    assert.deepEqual(statusesIn({ ...turn, entries: entries(undefined, 'edited') }), [undefined, 'edited']);
    assert.deepEqual(statusesIn({ ...turn, entries: entries('compacted', 'compacted') }), ['compacted', undefined]);
    assert.deepEqual(statusesIn(source({ role: 'bashExecution', command: 'x', output: '', excludeFromContext: true })), [
      'excluded',
      'run',
    ]);
  });

  it('shows what was said, and folds the prompt that the model got instead', () => {
    const user = (projection: unknown): readonly Part[] =>
      parts({ role: 'user', content: 'Сказано', __openclaw: { modelPromptProjection: projection } });
    const said = { kind: 'markdown', text: { text: 'Сказано', nth: 0 } };
    assert.deepEqual(user({ version: 1, text: 'до\nСказано' }), [
      said,
      { kind: 'fold', content: 'modelPrompt', summary: 'до Сказано', parts: [{ kind: 'output', text: { text: 'до\nСказано', nth: 1 } }] },
    ]);
    for (const none of [undefined, null, 7, 'x', { version: 2, text: 'x' }, { version: 1, text: 7 }]) assert.deepEqual(user(none), [said]);
  });

  it('folds what pi recorded about the request of an answer', () => {
    const answer = (diagnostics: unknown): readonly Part[] =>
      parts({ role: 'assistant', content: [{ type: 'text', text: 'Готово' }], stopReason: 'deferred', diagnostics });
    const records = [{ type: 'retry', error: { message: 'перегрузка' } }, { type: 'retry' }, 7, { type: '再接続\nx', details: {} }];
    const [, fold, ...more] = answer(records);
    assert.deepEqual(fold, {
      kind: 'fold',
      content: 'diagnostics',
      summary: 'retry, 再接続 x',
      count: 4,
      parts: [{ kind: 'output', text: { text: JSON.stringify(records, undefined, 2), nth: 1 } }],
    });
    assert.deepEqual(more, []);
    for (const none of [undefined, null, [], 'x', {}]) assert.equal(answer(none).length, 1);
    const deferred = source({ role: 'assistant', content: [], stopReason: 'deferred' });
    assert.equal(buildArticle(deferred).article.stopReason, 'deferred');
  });

  it('shows the words of a provider’s error, and the whole error in a fold', () => {
    const raw =
      '429 {"type":"error","error":{"type":"rate_limit_error","message":"Limit of \\"a\\" reached.\\nTry later."},"request_id":"r1"}';
    const { article, texts } = buildArticle(source({ role: 'assistant', content: [], stopReason: 'error', errorMessage: raw }));
    assert.deepEqual(article.parts, [
      { kind: 'error', text: { text: '429 Limit of "a" reached.\nTry later.', nth: 0 } },
      { kind: 'fold', content: 'error', summary: '', parts: [{ kind: 'output', text: { text: raw, nth: 1 } }] },
    ]);
    assert.deepEqual(texts, ['429 Limit of "a" reached.\nTry later.', raw]);
    assert.deepEqual(parts({ role: 'assistant', content: [], errorMessage: 'terminated' }), [
      { kind: 'error', text: { text: 'terminated', nth: 0 } },
    ]);
  });

  it('marks a call without a result, and keeps a result without a call', () => {
    const found = parts({ role: 'assistant', content: [call('a')] }, result('z'));
    assert.deepEqual(
      found.map((part) => part.kind === 'tool' && [part.name, part.summary, part.state]),
      [
        ['bash', 'ls', 'waiting'],
        ['bash', '', 'ok'],
      ],
    );
  });

  it('shows an edit as a diff', () => {
    const [edit] = parts(
      { role: 'assistant', content: [call('a', { path: 'x', oldText: 'a', newText: 'b' })] },
      result('a', { details: { diff: '-1 a\n+1 b' } }),
    );
    assert.ok(edit?.kind === 'tool');
    assert.equal(edit.diff?.text, '-1 a\n+1 b');
    assert.equal(edit.args?.text, 'path: x\noldText: a\nnewText: b');
    // Without a recorded diff, it is derived from the call.
    const [derived] = parts({ role: 'assistant', content: [call('a', { path: 'x', oldText: 'a', newText: 'b' })] });
    assert.ok(derived?.kind === 'tool');
    assert.deepEqual([derived.diff?.text, derived.state], ['-a\n+b', 'waiting']);
  });

  it('names the sessions of subagents that a call has started', () => {
    const details = { results: [{ agent: 'scout', sessionFile: '/s/a.jsonl' }, { sessionFile: '/s/b.jsonl' }] };
    const sessionsOf = (name: string): unknown => {
      const started = { type: 'toolCall', id: 'a', name, arguments: {} };
      const [part] = parts({ role: 'assistant', content: [started] }, result('a', { toolName: name, details }));
      return part?.kind === 'tool' ? part.sessions : part;
    };
    assert.deepEqual([sessionsOf('subagent'), sessionsOf('read')], ['scout /s/a.jsonl, /s/b.jsonl', undefined]);
  });

  it('extracts a call’s file and line', () => {
    const paths = [
      parts({ role: 'assistant', content: [call('a', { path: 'src/x.ts', offset: 10, limit: 5 })] }),
      parts(
        { role: 'assistant', content: [call('a', { path: 'x', oldText: 'a', newText: 'b' })] },
        result('a', { details: { diff: '-1 a', firstChangedLine: 7 } }),
      ),
      parts({ role: 'assistant', content: [call('a')] }),
    ].map(([part]) => part?.kind === 'tool' && part.path);
    assert.deepEqual(paths, ['src/x.ts:10', 'x:7', undefined]);
  });

  it('builds a command that the user ran', () => {
    const run = {
      role: 'bashExecution',
      command: 'false',
      output: 'no\n',
      exitCode: 1,
      cancelled: false,
      truncated: true,
      fullOutputPath: '/tmp/out',
    };
    assert.deepEqual(parts(run), [
      {
        kind: 'run',
        language: 'bash',
        command: { text: 'false', nth: 0 },
        output: { text: 'no', nth: 1 },
        state: 'error',
        exitCode: 1,
        fullOutputPath: '/tmp/out',
      },
    ]);
  });

  it('builds summaries, custom messages and unknown roles', () => {
    const kinds = [
      { role: 'compactionSummary', summary: 's', tokensBefore: 1 },
      { role: 'branchSummary', summary: 's', fromId: 'x' },
      { role: 'custom', customType: 'reminder', content: 'c' },
      { role: 'developer', content: 'd' },
      { role: 'fileMention', content: 'f' },
    ].map((message) => buildArticle(source(message)).article);
    assert.deepEqual(
      kinds.map(({ kind, name, parts: [part] }) => [kind, name, part?.kind]),
      [
        ['compaction', undefined, 'markdown'],
        ['branch', undefined, 'markdown'],
        ['custom', 'reminder', 'markdown'],
        ['system', undefined, 'markdown'],
        ['other', 'fileMention', 'markdown'],
      ],
    );
  });

  it('never has zero parts, for any content of the file', () => {
    assert.deepEqual(parts({ role: 'user', content: [] }), [{ kind: 'empty' }]);
    assert.deepEqual(parts({ role: 'other' }), [{ kind: 'empty' }]);
    assert.deepEqual(parts({ role: 'user', content: [null, 3, { type: 'text' }, { type: 'video', url: 'x' }] }), [
      { kind: 'output', text: { text: '{\n  "type": "video",\n  "url": "x"\n}', nth: 0 } },
    ]);
    assert.deepEqual(parts({ role: 'assistant', content: [{ type: 'toolCall' }] }), [
      { kind: 'tool', name: 'tool', summary: '', state: 'waiting', result: [] },
    ]);
  });

  it('contains the error of a failed answer', () => {
    const { article } = buildArticle(
      source({ role: 'assistant', content: [], model: 'm', stopReason: 'error', errorMessage: 'overloaded' }),
    );
    assert.deepEqual(
      [article.model, article.stopReason, article.parts],
      ['m', 'error', [{ kind: 'error', text: { text: 'overloaded', nth: 0 } }]],
    );
  });

  it('sends a long output without its middle, and keeps the full text', () => {
    const long = 'x'.repeat(99).concat('\n').repeat(10_000);
    const built = buildArticle(source({ role: 'assistant', content: [call('a')] }, result('a', { content: long })));
    const [tool] = built.article.parts;
    assert.ok(tool?.kind === 'tool' && tool.result[0]?.kind === 'output');
    const { text, tail = '', omitted = 0, nth } = tool.result[0].text;
    assert.equal(text.length + omitted + tail.length, built.texts[nth]?.length);
    assert.ok(JSON.stringify(built.article).length < 20_000);
  });

  it('gives the address of an image that’s there by it, and opens none', () => {
    const images = [
      { mimeType: 'image/png', data: 'https://x.test/a.png' },
      { mimeType: 'image/png', source: { type: 'url', url: 'http://x.test/b.png' } },
      { image_url: { url: 'https://x.test/c.png' } },
      { url: 'file:///d.png', data: '' },
      { mimeType: 'image/png', data: 'data:image/png;base64,aGk=', url: 'https://x.test/e' },
    ].map((image) => ({ type: 'image', ...image }));
    const { parts } = buildArticle(source({ role: 'user', content: images })).article;
    assert.deepEqual(
      parts.map((part) => part.kind === 'image' && part.address),
      ['https://x.test/a.png', 'http://x.test/b.png', 'https://x.test/c.png', 'file:///d.png', undefined],
    );
  });

  it('gives the reason why an image isn’t shown', () => {
    const images = [
      { mimeType: 'image/svg+xml', data: 'aGk=' },
      { mimeType: 'image/png', data: '' },
      { mimeType: 'image/png', data: 'aGk=' },
    ].map((image) => ({ type: 'image', ...image }));
    const built = buildArticle(source({ role: 'user', content: images }));
    assert.deepEqual(
      built.article.parts.map((part) => part.kind === 'image' && part.missing),
      ['type', 'empty', undefined],
    );
    assert.equal(built.images.length, 3);
    assert.ok(!JSON.stringify(built.article).includes('aGk='), 'image data is sent on request');
  });

  it('shows the calls that a tool made before its own result', () => {
    const nestedCalls = {
      calls: [
        { id: 'a/1', name: 'read', arguments: { path: 'src/a.ts' }, status: 'ok' },
        { id: 'a/2', name: 'edit', argumentsBytes: 9000, status: 'error', error: 'no such file' },
        'no call',
        { status: 'unfinished' },
        { status: 'later' },
      ],
      complete: false,
    };
    const [tool] = parts({ role: 'assistant', content: [call('a', { code: 'read()' })] }, result('a', { nestedCalls }));
    assert.ok(tool?.kind === 'tool');
    assert.equal(tool.lacksCalls, true);
    const whole = { calls: nestedCalls.calls, complete: true };
    for (const [nested, lacksCalls] of [
      [whole, undefined],
      [{ ...whole, calls: new Array(257).fill({}) }, true],
      [{ calls: [{ status: 'unfinished', arguments: {} }], complete: false }, undefined],
      [{ calls: [{ status: 'unfinished' }], complete: false }, true],
      [{ calls: new Array(256).fill({ status: 'unfinished', arguments: {} }), complete: false }, true],
      [undefined, undefined],
    ] as const) {
      const [other] = parts({ role: 'assistant', content: [call('a', {})] }, result('a', nested ? { nestedCalls: nested } : {}));
      assert.equal(other?.kind === 'tool' && other.lacksCalls, lacksCalls);
    }
    assert.deepEqual(
      tool.result.map((part) =>
        part.kind === 'tool' ? [part.name, part.summary, part.state, part.isNested, part.result.length] : part.kind,
      ),
      [
        ['read', 'src/a.ts', 'ok', true, 0],
        ['edit', '', 'error', true, 1],
        ['tool', '', 'unfinished', true, 0],
        ['tool', '', 'waiting', true, 0],
        'output',
      ],
    );
  });

  it('says how long an answer, its calls, and their nested calls took', () => {
    const calls = [
      { name: 'read', status: 'ok', durationMs: 12 },
      { name: 'bash', status: 'unfinished', durationMs: '3' },
    ];
    const { article } = buildArticle(
      source(
        { role: 'assistant', content: [call('a'), call('b')], durationMs: 65_400 },
        result('a', { durationMs: 1530, nestedCalls: { calls, complete: true } }),
        result('b', { durationMs: -1 }),
      ),
    );
    const [first, second] = article.parts.filter((part) => part.kind === 'tool');
    assert.deepEqual([article.duration, first?.duration, second?.duration], ['1 min 5 s', '1.5 s', undefined]);
    assert.deepEqual(
      first?.result.map((part) => (part.kind === 'tool' ? part.duration : part.kind)),
      ['12 ms', undefined, 'output'],
    );
    assert.equal('duration' in buildArticle(source({ role: 'user', content: 'a', durationMs: 5 })).article, false);
  });

  it('names the model that answered and the thinking level, a summary’s files, and attachments of version 2', () => {
    const { article } = buildArticle(source({ role: 'assistant', content: [], model: 'm', responseModel: 'm-2', thinkingLevel: 'high' }));
    assert.equal(article.model, 'm → m-2 · high');
    const summary = buildArticle({ ...source({ role: 'branchSummary', summary: 'left', fromId: 'x' }), files: 'Files read: `a.ts`' });
    assert.deepEqual(summary.texts, ['left\n\nFiles read: `a.ts`']);
    const attached = parts({
      role: 'user',
      content: 'see',
      attachments: [
        { type: 'image', mimeType: 'image/png', content: 'AAAA' },
        { type: 'document', fileName: 'a.pdf', extractedText: 'its text' },
        7,
      ],
    });
    assert.deepEqual(
      attached.map(({ kind }) => kind),
      ['markdown', 'image', 'output'],
    );
  });
});
