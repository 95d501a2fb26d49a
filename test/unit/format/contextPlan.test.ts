import assert from 'node:assert/strict';
import { contextPlan } from '../../../src/core/format/context/contextPlan';
import { entryMessages, withoutFailedTurns, type SourcedMessage } from '../../../src/core/format/context/contextMessages';
import type { AssistantMessage, Message } from '../../../src/core/format/entry/message';
import type { Entry } from '../../../src/core/format/entry/entry';
import { SessionError } from '../../../src/core/format/entry/problem';
import type { Session } from '../../../src/core/format/session/session';
import { entryId, session, type Given } from '../../fixtures/build';
import { read } from '../../fixtures/read';

const [e1, e2, e3, e4, e5] = [1, 2, 3, 4, 5].map(entryId) as [string, string, string, string, string];
const steps = (found: Session, leaf?: string | null): string[] => contextPlan(found, leaf).steps.map(({ id }) => id);
const omp = { rootDialect: 'omp' } as const;

describe('contextPlan', () => {
  it('takes the path to an entry, by default to the leaf', () => {
    const found = read(session().user('a').user('b').branchFrom(e1).user('c'));
    assert.deepEqual([steps(found), steps(found, e2), steps(found, null)], [[e1, e3], [e1, e2], []]);
    assert.throws(
      () => contextPlan(found, 'none'),
      (error) => error instanceof SessionError && error.code === 'unknown-entry',
    );
  });

  it('describes the compaction that applies', () => {
    const found = read(session().user('a').model('p', 'm').user('b').user('c').compaction('s', e4).user('d'));
    assert.deepEqual(contextPlan(found).compaction, { compactionId: e5, firstKeptEntryId: e4, summarized: 2 });
    assert.equal(contextPlan(found, e4).compaction, undefined);
  });

  it('keeps nothing if the first kept entry is the compaction itself, unknown, or replaced by a tail', () => {
    for (const given of [{ firstKeptEntryId: e3 }, { firstKeptEntryId: 'none' }, { firstKeptEntryId: undefined }, { retainedTail: [] }]) {
      const found = read(session().user('a').user('b').compaction('s', e2, given).user('c'));
      assert.deepEqual(
        [steps(found), contextPlan(found).compaction?.firstKeptEntryId, contextPlan(found).compaction?.summarized],
        [[e3, e4], null, 2],
      );
    }
  });

  it('begins after a reset boundary, which also hides an older compaction', () => {
    const after = read(session().user('a').compaction('s', e1).entry('reset_boundary').user('b'));
    assert.deepEqual([steps(after), contextPlan(after).compaction, contextPlan(after).resetId], [[e4], undefined, e3]);
    const before = read(session().user('a').entry('reset_boundary').user('b').compaction('s', e1).user('c'));
    assert.deepEqual([steps(before), contextPlan(before).compaction?.firstKeptEntryId], [[e4, e1, e3, e5], e1]);
    assert.equal(contextPlan(before).resetId, undefined);
  });

  it('has nothing before a reset boundary that a later compaction does not keep', () => {
    const found = read(session().user('a').entry('reset_boundary').user('b').compaction('s', e3).user('c'));
    assert.deepEqual([steps(found), contextPlan(found).resetId, contextPlan(found).compaction?.summarized], [[e4, e3, e5], e2, 0]);
  });

  it('begins with the settings of the header', () => {
    const found = read(session({ version: 1, provider: 'p', modelId: 'm', thinkingLevel: 'high' }).user('a'));
    assert.deepEqual(contextPlan(found).settings, { thinkingLevel: 'high', model: { provider: 'p', modelId: 'm' } });
    assert.deepEqual(contextPlan(read(session())).settings, { thinkingLevel: 'off', model: null });
  });

  it('maps roles to models in oh-my-pi', () => {
    const answered = (provider: string): Given => ({ message: { provider, model: 'm' } });
    const built = session()
      .assistant('a', answered('first'))
      .entry('model_change', { model: 'x/small/er', role: 'smol' })
      .assistant('b', answered('second'));
    assert.deepEqual(contextPlan(read(built, omp)).settings.models, { default: 'second/m', smol: 'x/small/er' });
    built.entry('model_change', { model: 'chosen/one' }).assistant('c', answered('fallback'));
    const { models, model } = contextPlan(read(built, omp)).settings;
    assert.deepEqual(
      [models, model],
      [
        { default: 'chosen/one', smol: 'x/small/er' },
        { provider: 'chosen', modelId: 'one' },
      ],
    );
  });

  it('collects rules and the mode in oh-my-pi', () => {
    const built = session()
      .entry('ttsr_injection', { injectedRules: ['a', 'b'] })
      .entry('ttsr_injection', { injectedRules: ['b', 'c', 7] })
      .entry('mode_change', { mode: 'plan' });
    const { injectedTtsrRules, mode } = contextPlan(read(built)).settings;
    assert.deepEqual([injectedTtsrRules, mode], [['a', 'b', 'c'], 'plan']);
  });
});

describe('entryMessages', () => {
  it('returns the retained tail of a compaction', () => {
    const tail = { role: 'user', content: 'kept' };
    const entry = {
      type: 'compaction',
      id: 'c',
      parentId: null,
      timestamp: '2026-01-01T00:00:00Z',
      summary: 's',
      tokensBefore: 3,
      retainedTail: [tail, 7],
    };
    assert.deepEqual(entryMessages(entry as unknown as Entry), [
      { role: 'compactionSummary', summary: 's', tokensBefore: 3, timestamp: Date.parse('2026-01-01T00:00:00Z') },
      tail,
    ]);
  });
});

describe('withoutFailedTurns', () => {
  const call = (id: string): object => ({ type: 'toolCall', id, name: 't', arguments: {} });
  const answer = (content: unknown, stopReason = 'stop'): Message => ({ role: 'assistant', content, stopReason }) as AssistantMessage;
  const result = (toolCallId: string): Message => ({ role: 'toolResult', toolCallId, content: [] });
  const alive = (...messages: Message[]): Message[] => {
    const sourced: SourcedMessage[] = messages.map((message, index) => ({ message, source: String(index) }));
    return withoutFailedTurns(sourced).map(({ message }) => message);
  };
  const user: Message = { role: 'user', content: 'u' };

  it('removes answers that failed, with the results of their calls', () => {
    assert.deepEqual(alive(user, answer([call('a')], 'error'), result('a'), answer([], 'aborted'), user), [user, user]);
  });

  it('removes calls without results, and keeps the rest of the answer without signatures', () => {
    const textBlock = { type: 'text', text: 'x' };
    const thought = { type: 'thinking', thinking: 'h', thinkingSignature: 'sig' };
    assert.deepEqual(alive(answer([thought, textBlock, call('a'), call('b')]), result('a'), answer([call('c')])), [
      answer([{ type: 'thinking', thinking: 'h' }, textBlock, call('a')]),
      result('a'),
    ]);
  });
});
