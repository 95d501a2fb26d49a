// Rules of the context (FORMAT section 4) that are easily lost: each test covers a mutation that no other test noticed.
import assert from 'node:assert/strict';
import { parseEntry } from '../../../src/core/format/entry/parseEntry';
import { contextPlan } from '../../../src/core/format/context/contextPlan';
import { assembleContext } from '../../../src/core/format/context/assembleContext';
import type { JsonObject } from '../../../src/core/format/values/jsonValues';
import type { Message } from '../../../src/core/format/entry/message';
import { toLlmMessages } from '../../../src/core/format/context/llmMessages';
import { entryId, session, type Given, type SessionBuilder } from '../../fixtures/build';
import { read } from '../../fixtures/read';

const [e1, e2, e3, e4, e5, e6] = [1, 2, 3, 4, 5, 6].map(entryId) as [string, string, string, string, string, string];

/** Builds the context of a session given by its lines. */
function contextOf(built: SessionBuilder, rootDialect: 'pi' | 'omp' = 'pi', leafId?: string) {
  const found = read(built, { rootDialect });
  const lines = built.lines().map((line) => JSON.parse(line) as JsonObject);
  const bodies = found.entries.map((head) => parseEntry(lines[head.line - 1]!, head));
  return assembleContext(contextPlan(found, leafId), found.dialect, bodies);
}

const text = (message: Message): unknown => {
  if ('summary' in message) return message.summary;
  const content = (message as { content?: unknown }).content;
  return Array.isArray(content) ? content.map((block: { text?: string; type: string }) => block.text ?? block.type).join() : content;
};
/** Formats messages as `role: text`. */
const spoken = (...args: Parameters<typeof contextOf>): string[] =>
  contextOf(...args).messages.map((message) => `${message.role}: ${String(text(message))}`);

const model = (provider: string, modelId = 'm') => ({ provider, modelId });
const answer = (provider: string): Given => ({ message: { provider, model: 'm' } });

describe('Rules of the context: the path', () => {
  it('ends at the leaf, even if that is not the last entry', () => {
    assert.deepEqual(spoken(session().user('a').user('b').leaf(e1)), ['user: a']);
  });
});

describe('Rules of the context: settings', () => {
  it('apply from the whole path, including compacted entries', () => {
    const built = session().thinking('high').model('p', 'm').user('a').compaction('s', 'none').user('b');
    const { thinkingLevel, model: found } = contextOf(built);
    assert.deepEqual([thinkingLevel, found], ['high', model('p')]);
  });

  it('come from the last entry that sets them', () => {
    const built = session().thinking('high').thinking('low').model('a', 'm').model('b', 'm');
    assert.deepEqual([contextOf(built).thinkingLevel, contextOf(built).model], ['low', model('b')]);
    built.assistant('x', answer('c'));
    assert.deepEqual(contextOf(built).model, model('c'), 'an answer says which model gave it');
    built.entry('usage', { provider: 'd', model: 'm', usage: { input: 1 } });
    assert.deepEqual(contextOf(built).model, model('c'), 'a usage line chooses nothing');
  });

  it('begin with those of the header, also in oh-my-pi', () => {
    const { models } = contextOf(session({ provider: 'p', modelId: 'm' }).user('a'), 'omp');
    assert.deepEqual(models, { default: 'p/m' });
  });
});

describe('Rules of the context: compactions', () => {
  it('use the newest one, and nothing of older ones', () => {
    const built = session().user('a').compaction('old', e1).user('b').compaction('new', e1).user('c');
    assert.deepEqual(spoken(built), ['compactionSummary: new', 'user: a', 'user: b', 'user: c']);
  });

  it('drop kept system messages, except in oh-my-pi', () => {
    const built = () =>
      session().message({ role: 'system', content: 'old' }).user('a').compaction('s', e1).message({ role: 'system', content: 'new' });
    assert.deepEqual(spoken(built()), ['compactionSummary: s', 'user: a', 'system: new']);
    assert.deepEqual(spoken(built(), 'omp'), ['compactionSummary: s', 'system: old', 'user: a', 'system: new']);
  });

  it('put their system message first and their tail last', () => {
    const built = session()
      .user('a')
      .compaction('s', e1, { systemMessage: { role: 'system', content: 'rules' }, retainedTail: [{ role: 'user', content: 'kept' }] })
      .user('b');
    assert.deepEqual(spoken(built), ['system: rules', 'compactionSummary: s', 'user: kept', 'user: b']);
  });
});

describe('Rules of the context: reset boundaries', () => {
  it('use the last one', () => {
    const built = session().user('a').entry('reset_boundary').user('b').entry('reset_boundary').user('c');
    assert.deepEqual(spoken(built, 'omp'), ['user: c']);
  });
});

describe('Rules of the context: edits', () => {
  it('use the last one for a target', () => {
    assert.deepEqual(spoken(session().user('a').contextEdit(e1, 'b').contextEdit(e1, 'c')), ['user: c']);
    assert.deepEqual(spoken(session().user('a').contextEdit(e1, null).contextEdit(e1, 'c')), ['user: c']);
    assert.deepEqual(spoken(session().user('a').user('b').contextEdit(e1, 'c').contextEdit(e1, null)), ['user: b']);
  });

  it('put a string into answers and results as a block', () => {
    const built = session().tool('read', { path: 'x' }).contextEdit(e1, 'said').contextEdit(e2, 'found');
    assert.deepEqual(
      contextOf(built).messages.map((message) => (message as { content: unknown }).content),
      [[{ type: 'text', text: 'said' }], [{ type: 'text', text: 'found' }]],
    );
  });

  it('ignore edits of other branches', () => {
    assert.deepEqual(spoken(session().user('a').contextEdit(e1, null).branchFrom(e1).user('b')), ['user: a', 'user: b']);
  });
});

describe('Rules of the context: contributions', () => {
  it('come from messages, custom messages and branch summaries only', () => {
    const built = session()
      .user('a')
      .customMessage('t', 'hidden', { display: false })
      .branchSummary('side')
      .branchSummary('')
      .custom('t')
      .label(e1, 'x')
      .name('n')
      .model('p', 'm');
    const { messages, sources } = contextOf(built);
    assert.deepEqual(
      messages.map((message) => `${message.role}: ${String(text(message))}`),
      ['user: a', 'custom: hidden', 'branchSummary: side'],
    );
    assert.deepEqual(sources, [e1, e2, e3]);
    assert.deepEqual(
      contextPlan(read(built)).steps.map(({ id }) => id),
      [e1, e2, e3],
      'no body is read for nothing',
    );
  });

  it('send a custom message to the model as a user message', () => {
    const [sent] = toLlmMessages(contextOf(session().customMessage('t', 'x')).messages);
    assert.deepEqual([sent?.role, sent?.content], ['user', [{ type: 'text', text: 'x' }]]);
  });

  it('omit failed turns in oh-my-pi only', () => {
    const built = () =>
      session()
        .user('a')
        .tool('read', { path: 'x' })
        .assistant('b', { message: { stopReason: 'error' } })
        .assistant([{ type: 'toolCall', id: 'open', name: 't', arguments: {} }]);
    assert.deepEqual(contextOf(built(), 'omp').sources, [e1, e2, e3]);
    assert.deepEqual(contextOf(built()).sources, [e1, e2, e3, e4, e5]);
    assert.deepEqual(contextOf(built().user('c'), 'omp').sources, [e1, e2, e3, e6]);
  });
});
