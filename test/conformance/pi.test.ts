import assert from 'node:assert/strict';
import fc from 'fast-check';
import { buildSessionContext, entryPlainText, readBodies, toLlmMessages } from '../../src/core/index';
import { entryId, session, type SessionBuilder } from '../fixtures/build';
import { testFolder } from '../fixtures/folder';
import { compareContexts, compareRows, compareShapes, compareTotals, readBoth, type Both } from './compareWithPi';

/** Sessions with everything that affects contexts and rows. */
const SESSIONS: Readonly<Record<string, () => SessionBuilder>> = {
  'a talk': () =>
    session()
      .user('hello')
      .assistant('hi')
      .bash('ls -l', 'a\nb')
      .bash('false', '', { message: { exitCode: 3, excludeFromContext: true } }),
  'nothing but a header': () => session(),
  'branches, labels and a name': () =>
    session()
      .user('a')
      .assistant('b')
      .user('c')
      .label(entryId(2), 'here')
      .branchFrom(entryId(2))
      .branchSummary('what was tried')
      .user('d')
      .label(entryId(3), 'there')
      .label(entryId(2), '')
      .name(' A name ')
      .branchFrom(null)
      .user('second root'),
  'two compactions': () =>
    session()
      .user('a')
      .assistant('b')
      .user('c')
      .compaction('first', entryId(3))
      .user('d')
      .assistant('e')
      .compaction('second', entryId(3), { details: { x: 1 } })
      .user('f'),
  'a compaction that keeps nothing': () =>
    session().user('a').compaction('own', entryId(2)).user('b').compaction('unknown', 'nowhere').assistant('c'),
  'a compaction with system messages': () =>
    session()
      .message({ role: 'system', content: 'old' })
      .user('a')
      .message({ role: 'system', content: 'kept? no' })
      .user('b')
      .compaction('s', entryId(2), { systemMessage: { role: 'system', content: 'now', timestamp: 5 } })
      .message({ role: 'system', content: null })
      .user('c'),
  'context edits': () =>
    session()
      .user('secret')
      .assistant('long')
      .tool('read', { path: '/x', offset: 10, limit: 20 }, 'output')
      .customMessage('ext', 'words')
      .bash('ls')
      .contextEdit(entryId(1), null)
      .contextEdit(entryId(2), 'short')
      .contextEdit(entryId(4), [{ type: 'text', text: 'cut' }])
      .contextEdit(entryId(5), 'changed')
      .contextEdit(entryId(6), 'no')
      .contextEdit(entryId(2), 'shorter'),
  'edits of what a compaction hides': () =>
    session()
      .user('a')
      .contextEdit(entryId(1), 'early')
      .user('b')
      .contextEdit(entryId(4), null)
      .compaction('s', entryId(3))
      .contextEdit(entryId(3), 'late')
      .user('c'),
  'custom messages': () =>
    session()
      .customMessage('one', 'text', { display: false, details: { a: 1 } })
      .customMessage('two', [
        { type: 'text', text: 'x' },
        { type: 'image', data: 'AAAA', mimeType: 'image/png' },
      ])
      .custom('state', { n: 1 }),
  'settings that change': () =>
    session()
      .thinking('high')
      .model('openai', 'gpt')
      .user('a')
      .assistant('b')
      .model('google', 'gem')
      .thinking('low')
      .branchFrom(entryId(4))
      .user('c'),
  'content that is null': () =>
    session().user(null).assistant(null).message({ role: 'toolResult', toolCallId: 'x', content: null }).user([]),
  'every tool': () =>
    session()
      .tool('read', { path: `${process.env['HOME'] ?? ''}/x`, offset: 5 })
      .tool('read', { file_path: '/y', limit: 3 })
      .tool('write', { path: 'w.txt', content: 'x' })
      .tool('edit', { path: 'e.txt' })
      .tool('bash', { command: `echo\n\t${'long '.repeat(20)}` })
      .tool('grep', { pattern: 'a+', path: 'src' })
      .tool('grep', { pattern: 'b' })
      .tool('find', { pattern: '*.ts' })
      .tool('ls', {})
      .tool('mystery', { some: 'argument', that: 'is', rather: 'long, longer than forty' })
      .message({ role: 'toolResult', toolCallId: 'nowhere', toolName: 'lost', content: [] }),
  'answers of all kinds': () =>
    session()
      .assistant([], { message: { stopReason: 'aborted' } })
      .assistant([], { message: { stopReason: 'error', errorMessage: 'it\nbroke' } })
      .assistant([], { message: { stopReason: 'length' } })
      .assistant([{ type: 'thinking', thinking: 'hm' }])
      .assistant([{ type: 'text', text: '  \n ' }])
      .assistant('  many\nlines\tand tabs  ')
      .assistant('x'.repeat(300))
      .entry('usage', {
        kind: 'x',
        provider: 'p',
        model: 'm',
        usage: { input: 1, output: 1, cacheRead: 0, cacheWrite: 0, cost: { total: 0.5 } },
      })
      .assistant([]),
  'newer fields': () =>
    session()
      .user('a', { id: '01a1fa45-0000-7000-8000-00000000abcd' })
      .assistant('b', {
        message: {
          responseModel: 'claude-x-2026',
          thinkingLevel: 'high',
          stopReason: 'deferred',
          usage: {
            input: 5,
            output: 6,
            cacheRead: 7,
            cacheWrite: 8,
            cacheWrite1h: 4,
            reasoning: 3,
            totalTokens: 26,
            cost: { input: 0.25, output: 0.25, cacheRead: 0, cacheWrite: 0.5, total: 1, totalFromProvider: true },
          },
        },
      })
      .tool('codemode', { code: 'read()' }, 'done', {
        message: { nestedCalls: { calls: [{ id: 'c/1', name: 'read', arguments: { path: 'x' }, status: 'ok' }], complete: true } },
      })
      .custom('pi.virtual-model-state', { provider: 'p', modelId: 'm', state: { at: 1 } })
      .entry('usage', {
        kind: 'cache_warm',
        note: 'kept warm',
        provider: 'anthropic',
        model: 'claude-x-2026',
        usage: { input: 0, output: 0, cacheRead: 50, cacheWrite: 0, totalTokens: 50, cost: { total: 0.25 } },
      })
      .compaction('s', '01a1fa45-0000-7000-8000-00000000abcd', { details: { readFiles: ['x'], modifiedFiles: ['y'] } })
      .branchSummary('b', { details: { readFiles: ['z'], modifiedFiles: [] } }),
  'rows of every type': () =>
    session()
      .user('a')
      .compaction('s', entryId(1))
      .branchSummary('  b\ns ')
      .model('p', 'm')
      .thinking('low')
      .custom('c')
      .customMessage('cm', ' text ')
      .contextEdit(entryId(1), 'x')
      .contextEdit(entryId(1), null)
      .label(entryId(1), 'l')
      .label(entryId(1))
      .name('n')
      .name('')
      .bash(' ls\n-l ')
      .message({ role: 'custom', customType: 't', content: 'x' })
      .message({ role: 'system', content: 'x' })
      .user('end'),
};

describe('The real pi agrees', function () {
  this.timeout(60_000);
  const folder = testFolder();

  const both = (built: SessionBuilder): Promise<Both> => readBoth(folder.path, built.text());

  for (const [title, build] of Object.entries(SESSIONS)) {
    it(`about the context at every entry: ${title}`, async () => {
      await compareContexts(await both(build()));
    });

    it(`about the tree, branches, labels, name, leaf and totals: ${title}`, async () => {
      const asked = await both(build());
      compareShapes(asked);
      compareTotals(asked);
    });

    it(`about the rows under every filter: ${title}`, async () => {
      compareRows(await both(build()));
    });

    it(`about what is sent and what is copied: ${title}`, async () => {
      const { pi, ours, theirs } = await both(build());
      assert.deepEqual(toLlmMessages((await buildSessionContext(ours)).messages), pi.convertToLlm(theirs.buildSessionContext().messages));
      const copied = pi.copyTexts(theirs);
      for (const entry of await readBodies(ours, [...copied.keys()])) {
        const text = entryPlainText(entry);
        assert.equal(text.trim() === '' ? '' : text, copied.get(entry.id), entry.type);
      }
    });
  }

  it('about the context of any tree of entries', async () => {
    const step = fc.record({ kind: fc.constantFrom(...Object.keys(STEPS)), at: fc.nat(15), back: fc.nat(3) });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 15 }), async (steps) => {
        const built = session();
        steps.forEach(({ kind, at, back }, index) => {
          if (back === 0 && index > 0) built.branchFrom(entryId(1 + (at % index)));
          STEPS[kind]!(built, entryId(at));
        });
        await compareContexts(await both(built));
      }),
      { numRuns: 150 },
    );
  });
});

const STEPS: Readonly<Record<string, (built: SessionBuilder, id: string) => SessionBuilder>> = {
  user: (built) => built.user('u'),
  assistant: (built) => built.assistant('a'),
  result: (built) => built.message({ role: 'toolResult', content: [{ type: 'text', text: 'r' }] }),
  system: (built) => built.message({ role: 'system', content: 's' }),
  compaction: (built, id) => built.compaction('c', id),
  summary: (built) => built.branchSummary('b'),
  noSummary: (built) => built.branchSummary(''),
  custom: (built) => built.customMessage('t', 'm'),
  noContent: (built) => built.customMessage('t', null),
  state: (built) => built.custom('t'),
  omit: (built, id) => built.contextEdit(id, null),
  edit: (built, id) => built.contextEdit(id, 'e'),
  model: (built) => built.model('p', 'm'),
  thinking: (built) => built.thinking('high'),
};
