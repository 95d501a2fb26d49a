/** Random calls of the documents' API that both pi's manager and ours support. */
import type { Dice } from '../fixtures/random';
import type { Calls } from './piManager';

/** `id` returns the id of the manager's entry with an index. */
export type Call = (manager: Calls, id: (place: number) => string) => unknown;

/** Returns a random call for managers with `count` entries. */
export function someCall(random: Dice, count: number): Call {
  const place = random.below(Math.max(1, count));
  const text = random.one(['one', 'two\nlines', '']);
  const details = random.one([undefined, { d: 1 }]);
  const level = random.one(['low', 'high']);
  const flag = random.one([undefined, true, false]);
  const tools = random.one([{}, { toolsAdded: [{ name: 'read' }, { name: 'bash' }] }, { toolsRemoved: [{ name: 'read' }] }]);
  const sections = random.one([{}, { sections: { a: text, b: null } }, { sections: { a: null } }]);
  const calls: readonly Call[] = [
    (sm) => sm.appendMessage({ role: 'user', content: text, timestamp: 1 }),
    (sm) =>
      sm.appendMessage({
        role: 'assistant',
        content: [{ type: 'text', text }],
        provider: 'p',
        model: 'm',
        stopReason: 'stop',
        timestamp: 2,
      }),
    (sm) => sm.appendMessage({ role: 'system', content: text, ...tools, ...sections, timestamp: 3 }),
    (sm) =>
      sm.appendMessage({
        role: 'bashExecution',
        command: 'ls',
        output: text,
        exitCode: 0,
        cancelled: false,
        truncated: false,
        timestamp: 4,
      }),
    (sm) => sm.appendThinkingLevelChange(level),
    (sm) => sm.appendModelChange('p', level),
    (sm, id) => sm.appendCompaction('sum', id(place), 9, details, flag),
    (sm) => sm.appendCustomEntry('t', details),
    (sm) => sm.appendCustomMessageEntry('t', text, flag === true, details),
    (sm) => sm.appendSessionInfo(text),
    (sm, id) => sm.appendLabelChange(id(place), random.once(3) ? undefined : level),
    (sm, id) => sm.branchWithSummary(random.once(3) ? null : id(place), 'left', details, flag),
    (sm, id) => {
      sm.branch(id(place));
    },
    (sm) => {
      sm.resetLeaf();
    },
  ];
  return random.once(25) && count > 0 ? (sm, id) => sm.createBranchedSession(id(place)) : random.one(calls);
}
