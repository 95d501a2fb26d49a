/** Compares oh-my-pi's answers about a session with ours. */
import assert from 'node:assert/strict';
import { buildSessionContext, sessionUsage, type Session } from '../../src/core/index';
import type { OmpAnswer } from './omp';

/** Compares leaf, tree, labels, name, contexts and totals. */
export async function compareWithOmp(ours: Session, theirs: OmpAnswer): Promise<void> {
  assert.deepEqual(
    ours.entries.map(({ id }) => id),
    theirs.ids,
  );
  assert.deepEqual([ours.leafId, ours.name ?? null, ours.roots], [theirs.leafId, theirs.name, theirs.roots]);
  for (const { id, label, children } of theirs.nodes)
    assert.deepEqual([ours.labels.get(id) ?? null, ours.children.get(id) ?? []], [label, children], `the node of ${id}`);
  for (const { id, ...expected } of theirs.contexts) {
    const { messages, thinkingLevel, models, injectedTtsrRules, mode } = await buildSessionContext(ours, id);
    assert.deepEqual({ thinkingLevel, models, injectedTtsrRules, mode }, rest(expected), `the settings at ${String(id)}`);
    assert.deepEqual(messages.map(plain), expected.messages.map(plain), `the messages at ${String(id)}`);
  }
  const { input, output, cacheRead, cacheWrite, cost } = sessionUsage(ours);
  const { totals } = theirs;
  assert.deepEqual(
    [input, output, cacheRead, cacheWrite, cost],
    [totals.input, totals.output, totals.cacheRead, totals.cacheWrite, totals.cost],
  );
}

const rest = ({ thinkingLevel, models, injectedTtsrRules, mode }: Omit<OmpAnswer['contexts'][number], 'id'>): object => ({
  thinkingLevel,
  models,
  injectedTtsrRules,
  mode,
});

/** The parts of a message that a model gets. oh-my-pi adds bookkeeping of its own in memory. */
function plain(message: unknown): object {
  const { role, content, summary, customType, toolCallId, stopReason } = message as Readonly<Record<string, unknown>>;
  return JSON.parse(
    JSON.stringify(
      { role, content: summary === undefined ? content : undefined, summary, customType, toolCallId, stopReason },
      withoutEmptySignature,
    ),
  ) as object;
}

/** oh-my-pi gives thoughts without a signature an empty one. */
const withoutEmptySignature = (key: string, value: unknown): unknown => (key === 'thinkingSignature' && value === '' ? undefined : value);
