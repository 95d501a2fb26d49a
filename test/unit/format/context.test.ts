import assert from 'node:assert/strict';
import {
  contextGrowth,
  downsample,
  firstAnswer,
  type GrowthPoint,
  lastRecordedTokens,
} from '../../../src/core/format/context/contextGrowth';
import { entryMessages, type SourcedMessage, withoutFailedTurns } from '../../../src/core/format/context/contextMessages';
import { contextPlan } from '../../../src/core/format/context/contextPlan';
import { contextStatuses } from '../../../src/core/format/context/contextStatus';
import { contextUsage, type MessageShare, messageShares, totalChars } from '../../../src/core/format/context/contextUsage';
import type { Entry } from '../../../src/core/format/entry/entry';
import type { AssistantMessage, Message } from '../../../src/core/format/entry/message';
import { SessionError } from '../../../src/core/format/entry/problem';
import type { Session } from '../../../src/core/format/session/session';
import { pathTo } from '../../../src/core/format/session/treeTraversal';
import { entryId, type Fields, type Given, session, type SessionBuilder } from '../../fixtures/build';
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

const usage = (total: number, more: Fields = {}): Fields => ({
  message: { usage: { input: total - 30, output: 10, cacheRead: 20, cacheWrite: 0, totalTokens: total }, ...more },
});
const pathOf = (opened: Session): ReturnType<typeof pathTo> => pathTo(opened, opened.leafId);

describe('contextGrowth', () => {
  it('has the tokens that each answer recorded, and the compactions and resets', () => {
    const opened = read(
      session({ title: 'omp' })
        .user('a')
        .assistant('b', usage(100))
        .assistant('failed', usage(70, { stopReason: 'error' }))
        .compaction('s', 'x')
        .assistant('c', { message: { usage: { input: 5, output: 6, cacheRead: 7, cacheWrite: 8 } } })
        .entry('reset_boundary')
        .assistant('d', { message: { usage: null } }),
    );
    const { points, resets: cuts, length } = contextGrowth(pathOf(opened));
    assert.deepEqual(
      points.map(({ at, tokens }) => [at, tokens]),
      [
        [1, 100],
        [4, 26],
      ],
    );
    assert.deepEqual([cuts.map(({ at }) => at), length], [[3, 5], 7]);
    assert.equal(points[0]!.id, opened.entries[1]!.id);
  });

  it('keeps ends, maxima and minima when there are too many points', () => {
    const many = Array.from({ length: 10_000 }, (_, at): GrowthPoint => ({
      id: String(at),
      at,
      tokens: at === 5000 ? 1e6 : at === 7000 ? 0 : 100 + at,
    }));
    const kept = downsample(many, 200);
    assert.ok(kept.length <= 200, String(kept.length));
    for (const at of [0, 5000, 7000, 9999]) assert.ok(kept.includes(many[at]!), String(at));
    assert.deepEqual(
      kept,
      [...kept].sort((a, b) => a.at - b.at),
    );
    assert.deepEqual(downsample(many.slice(0, 5), 5), many.slice(0, 5));
  });
});

describe('lastRecordedTokens', () => {
  const last = (builder: ReturnType<typeof session>): unknown => {
    const opened = read(builder);
    const plan = contextPlan(opened);
    return lastRecordedTokens(
      plan,
      opened.byId,
      plan.steps.map(({ id }) => id),
    );
  };

  it('takes the last answer that did not fail', () => {
    assert.deepEqual(
      last(
        session()
          .user('a')
          .assistant('b', usage(100))
          .assistant('c', usage(50, { stopReason: 'aborted' }))
          .user('d'),
      ),
      { index: 1, tokens: 100 },
    );
    assert.equal(last(session().user('a')), undefined);
  });

  it('ignores records from before a compaction, an edit or a reset', () => {
    assert.equal(
      last(session().user('a').assistant('b', usage(100)).user('k', { id: 'k' }).assistant('c', usage(200)).compaction('s', 'k').user('d')),
      undefined,
    );
    assert.deepEqual(
      last(session().user('a').user('k', { id: 'k' }).assistant('c', usage(200)).compaction('s', 'k').assistant('d', usage(90))),
      { index: 3, tokens: 90 },
    );
    assert.equal(last(session().user('a', { id: 'a' }).assistant('b', usage(100)).contextEdit('a', null)), undefined);
  });
});

describe('firstAnswer', () => {
  const first = (builder: ReturnType<typeof session>): unknown => {
    const found = firstAnswer(pathOf(read(builder)));
    return found && [found.tokens, found.before.length];
  };

  it('returns the tokens that it read for the messages before it and the prompt', () => {
    assert.deepEqual(
      first(
        session()
          .model('p', 'm')
          .user('a')
          .assistant('x', usage(5, { stopReason: 'error' }))
          .assistant('b', usage(100))
          .assistant('c', usage(200)),
      ),
      [90, 3],
    );
  });

  it('returns undefined if there is no answer, if it recorded nothing, or if its context was compacted or reset', () => {
    assert.equal(first(session().user('a')), undefined);
    assert.equal(
      first(
        session()
          .user('a')
          .assistant('b', { message: { usage: null } }),
      ),
      undefined,
    );
    assert.equal(first(session().user('a').compaction('s', 'x').assistant('b', usage(100))), undefined);
    const long = session();
    for (let i = 0; i < 60; i++) long.user('a');
    assert.equal(first(long.assistant('b', usage(100))), undefined);
  });
});

const fates = (built: SessionBuilder): string => {
  const opened = read(built);
  return contextStatuses(opened, contextPlan(opened)).join(' ');
};

describe('contextStatuses', () => {
  it('distinguishes included entries from those that are not messages', () => {
    assert.equal(
      fates(
        session().model('p', 'm').user('a').assistant('b').custom('x').customMessage('y', 'z').branchSummary('s').label(entryId(1), 'l'),
      ),
      'state in in state in in state',
    );
  });

  it('marks entries that a summary replaces, but not those that were kept', () => {
    assert.equal(
      fates(session().user('a').assistant('b').user('c', { id: 'kept' }).compaction('s', 'kept').user('d')),
      'compacted compacted in in in',
    );
    assert.equal(fates(session().user('a').compaction('s', 'none').user('b')), 'compacted in in');
  });

  it('marks older summaries and kept system messages as compacted', () => {
    assert.equal(
      fates(
        session()
          .user('a')
          .compaction('1', 'none')
          .user('b', { id: 'kept' })
          .message({ role: 'system', content: 'x' })
          .compaction('2', 'kept')
          .user('c'),
      ),
      'compacted compacted in compacted in in',
    );
    assert.equal(
      fates(session().user('a', { id: 'kept' }).compaction('1', 'kept').user('b').compaction('2', 'kept')),
      'in compacted in in',
    );
  });

  it('marks all earlier entries if the compaction has a retained tail', () => {
    assert.equal(
      fates(
        session()
          .user('a', { id: 'kept' })
          .compaction('s', 'kept', { retainedTail: [{ role: 'user', content: 'a' }] })
          .user('b'),
      ),
      'compacted in in',
    );
  });

  it('marks entries that an edit changed or removed', () => {
    assert.equal(
      fates(session().user('a', { id: 'a' }).assistant('b', { id: 'b' }).contextEdit('a', 'other').contextEdit('b', null).user('c')),
      'edited omitted state state in',
    );
    // The last edit applies; one that was compacted does not.
    assert.equal(fates(session().user('a', { id: 'a' }).contextEdit('a', null).contextEdit('a', 'x')), 'edited state state');
    assert.equal(
      fates(session().user('a', { id: 'a' }).contextEdit('a', null).user('b', { id: 'b' }).compaction('s', 'b')),
      'compacted state in in',
    );
  });

  it('marks, in oh-my-pi, entries before a reset and those of failed answers', () => {
    assert.equal(
      fates(session({ title: 'omp' }).user('a').compaction('s', 'none').entry('reset_boundary').user('b')),
      'reset reset state in',
    );
    const failed = { message: { stopReason: 'aborted' } };
    assert.equal(
      fates(
        session({ title: 'omp' })
          .user('a')
          .assistant('b', failed)
          .message({ role: 'toolResult', content: [] })
          .user('c')
          .message({ role: 'toolResult', content: [] }),
      ),
      'in failed failed in in',
    );
    assert.equal(fates(session().user('a').assistant('b', failed)), 'in in');
  });
});

const portions = (message: object): string =>
  messageShares(message as Message)
    .map(({ kind, tool, chars }) => `${kind}${tool === undefined ? '' : `(${tool})`} ${chars}`)
    .join(', ');
const text = (length: number): object => ({ type: 'text', text: 'x'.repeat(length) });
const image = { type: 'image', mimeType: 'image/png', data: 'AAAA' };

describe('messageShares', () => {
  it('counts characters, 4,800 for an image', () => {
    assert.equal(portions({ role: 'user', content: 'hello' }), 'user 5');
    assert.equal(portions({ role: 'user', content: [text(10), image, text(2)] }), 'user 12, image 4800');
    assert.equal(portions({ role: 'toolResult', toolName: 'read', content: [text(7), image] }), 'result(read) 7, image 4800');
    assert.equal(portions({ role: 'toolResult', content: [] }), 'result() 0');
    assert.equal(portions({ role: 'custom', customType: 't', content: 'abc' }), 'custom 3');
    assert.equal(portions({ role: 'fileMention', content: 'ab' }), 'custom 2');
  });

  it('counts the tokens of an image by the given function', () => {
    const message = { role: 'user', content: [text(8), image] } as unknown as Message;
    assert.deepEqual(
      messageShares(message, ({ mimeType }) => (mimeType === 'image/png' ? 54 : 0)),
      [
        { kind: 'user', chars: 8 },
        { kind: 'image', chars: 216 },
      ],
    );
  });

  it('splits an answer into text, thinking and calls', () => {
    const content = [
      { type: 'thinking', thinking: 'hmm' },
      text(8),
      { type: 'toolCall', id: 'i', name: 'bash', arguments: { command: 'ls' } },
      text(1),
      { type: 'odd' },
      null,
    ];
    // {"command":"ls"} has 16 characters.
    assert.equal(portions({ role: 'assistant', content }), 'thinking 3, assistant 8, call 20, assistant 1');
    assert.equal(portions({ role: 'assistant', content: 'plain' }), 'assistant 5');
    assert.equal(portions({ role: 'assistant', content: null }), '');
  });

  it('counts a command with its output, unless it is excluded from the context', () => {
    assert.equal(portions({ role: 'bashExecution', command: 'ls', output: 'a b' }), 'command 5');
    assert.equal(portions({ role: 'pythonExecution', code: '1+1', output: '2' }), 'command 4');
    assert.equal(portions({ role: 'bashExecution', command: 'ls', output: 'a b', excludeFromContext: true }), '');
  });

  it('counts summaries, and the text, sections and tools of system messages', () => {
    assert.equal(portions({ role: 'compactionSummary', summary: 'past' }), 'summary 4');
    assert.equal(portions({ role: 'branchSummary', summary: 'other' }), 'summary 5');
    // [{"name":"x"}] has 14 characters.
    const system = { role: 'system', content: 'be', sections: { a: 'good', b: null }, toolsAdded: [{ name: 'x' }] };
    assert.equal(portions(system), 'system 6, tools 14');
    assert.equal(portions({ role: 'system', content: 'be', sections: [], toolsAdded: [] }), 'system 2');
    assert.equal(portions({ role: 'developer', content: 'be' }), 'system 2');
  });
});

describe('contextUsage', () => {
  const messages = (...chars: [MessageShare['kind'], number, string?][]): MessageShare[][] =>
    chars.map(([kind, count, tool]) => [{ kind, chars: count, ...(tool === undefined ? {} : { tool }) }]);
  const shown = (...given: Parameters<typeof contextUsage>): string => {
    const { total, isRecorded, parts } = contextUsage(...given);
    return `${total}${isRecorded ? '' : '~'}: ${parts.map(({ kind, tool, tokens }) => `${kind}${tool === undefined ? '' : `(${tool})`} ${tokens}`).join(', ')}`;
  };

  it('estimates four characters per token where nothing was recorded', () => {
    assert.equal(
      shown(messages(['user', 400], ['result', 40, 'ls'], ['result', 800, 'read'], ['user', 40])),
      '320~: user 110, result(read) 200, result(ls) 10',
    );
    assert.equal(shown([]), '0~: ');
  });

  it('uses the tokens of the last answer, and the prompt from the first one', () => {
    // The first answer read 1,100 tokens, 100 of them for the message before it. The last record is 3,000 tokens, so the
    // messages' 4,000 characters, estimated as 1,000 tokens, were 2,000 tokens.
    const found = contextUsage(messages(['user', 400], ['assistant', 3600]), { index: 1, tokens: 3000 }, { tokens: 1100, chars: 400 });
    assert.deepEqual(found, {
      total: 3000,
      isRecorded: true,
      tokensPerChar: 0.5,
      imageTokensPerChar: 0.25,
      parts: [
        { kind: 'prompt', tokens: 1000 },
        { kind: 'user', tokens: 200 },
        { kind: 'assistant', tokens: 1800 },
      ],
    });
  });

  it('estimates at the same scale after the last record', () => {
    assert.equal(
      shown(messages(['user', 400], ['assistant', 3600], ['user', 200]), { index: 1, tokens: 3000 }, { tokens: 1100, chars: 400 }),
      '3100: prompt 1000, user 300, assistant 1800',
    );
  });

  it('has the prompt even without other messages, and never a negative one', () => {
    assert.equal(shown(messages(['user', 400]), undefined, { tokens: 5000, chars: 4000 }), '4100~: prompt 4000, user 100');
    assert.equal(shown(messages(['user', 400]), undefined, { tokens: 50, chars: 4000 }), '100~: user 100');
  });

  it('ignores a prompt that leaves nothing for the messages', () => {
    assert.equal(shown(messages(['user', 4000]), { index: 0, tokens: 1200 }, { tokens: 1190, chars: 0 }), '1200: prompt 200, user 1000');
    assert.equal(shown(messages(['user', 4000]), { index: 0, tokens: 900 }), '900: user 900');
    assert.equal(shown(messages(['assistant', 0]), { index: 0, tokens: 900 }), '900: prompt 900');
  });

  it('scales the text, but not the images', () => {
    // 4,000 characters, estimated as 1,000 tokens, and an image of 100 were 3,100 tokens.
    const given = messages(['user', 4000], ['image', 400], ['assistant', 0]);
    const found = contextUsage(given, { index: 2, tokens: 3100 }, 'none-missing');
    assert.deepEqual(
      found.parts.map(({ kind, tokens }) => [kind, tokens]),
      [
        ['user', 3000],
        ['image', 100],
      ],
    );
    assert.deepEqual([found.tokensPerChar, found.imageTokensPerChar], [0.75, 0.25]);
  });

  it('scales the images too if they leave no room for the text, or if there is no text', () => {
    assert.equal(
      shown(messages(['user', 4000], ['image', 8000]), { index: 1, tokens: 1500 }, 'none-missing'),
      '1500: user 500, image 1000',
    );
    assert.equal(shown(messages(['image', 800]), { index: 0, tokens: 100 }, 'none-missing'), '100: image 100');
  });

  it('adds no prompt if the messages contain all of it', () => {
    const given = messages(['system', 3000], ['tools', 1000], ['user', 400], ['assistant', 400]);
    assert.equal(shown(given, { index: 3, tokens: 2400 }, 'none-missing'), '2400: system 1500, tools 500, user 200, assistant 200');
    assert.equal(shown(given, undefined, 'none-missing'), '1200~: system 750, tools 250, user 100, assistant 100');
  });

  it('has parts that add up to the total after rounding', () => {
    const { total, parts } = contextUsage(
      messages(['user', 1], ['assistant', 1], ['thinking', 1]),
      { index: 2, tokens: 100 },
      { tokens: 50, chars: 0 },
    );
    assert.equal(total, 100);
    assert.equal(
      parts.reduce((sum, { tokens }) => sum + tokens, 0),
      100,
    );
    assert.equal(
      totalChars([
        { kind: 'user', chars: 2 },
        { kind: 'image', chars: 3 },
      ]),
      5,
    );
  });
});
