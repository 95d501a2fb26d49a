/** Groups messages into articles: an assistant's message with the results of its calls. */
import type { ContextStatus } from '../../core/format/context/contextStatus';
import { STEP_LENGTH, type Steps } from '../../core/format/session/steps';

/** Metadata of a message or another entry, without its body. */
export interface MessageSlot {
  /** The entry that contains the message. */
  readonly entryId: string;
  readonly role: string;
  /** The size of the entry in the file; used to estimate the article's length. */
  readonly bytes: number;
  readonly label?: string;
  readonly contextStatus: ContextStatus;
  /** Drawn as an entry row and not as an article: no message, or a message that an edit removed. */
  readonly isEntryRow?: true;
  /** True for a message that its program doesn't show. */
  readonly isHidden?: true;
}

/** Slots `from` to `to` (exclusive). */
export interface MessageGroup<S extends MessageSlot = MessageSlot> {
  readonly key: string;
  readonly from: number;
  readonly to: number;
  /** The slot at `from`. */
  readonly first: S;
}

/** Returns the groups of slots, in steps. */
export function* groupMessages<S extends MessageSlot>(slots: readonly S[]): Steps<MessageGroup<S>[]> {
  const groups: (MessageGroup<S> & { to: number })[] = [];
  const counts = new Map<string, number>();
  for (const [index, slot] of slots.entries()) {
    if (index % STEP_LENGTH === 0) yield;
    const last = groups.at(-1);
    if (slot.role === 'toolResult' && !slot.isEntryRow && last && isAnswer(last.first)) {
      last.to = index + 1;
      continue;
    }
    // A compaction may contain several messages.
    const before = counts.get(slot.entryId) ?? 0;
    counts.set(slot.entryId, before + 1);
    groups.push({ key: before === 0 ? slot.entryId : `${slot.entryId}#${before}`, from: index, to: index + 1, first: slot });
  }
  return groups;
}

/** Moves entry rows that are between an answer and its tool results to after the results, so that the results stay in one group. */
export function resultsFirst<S extends MessageSlot>(slots: readonly S[]): S[] {
  const ordered: S[] = [];
  let held: S[] = [];
  let inAnswer = false;
  for (const slot of slots) {
    if (slot.isEntryRow && inAnswer) {
      held.push(slot);
      continue;
    }
    if (slot.role !== 'toolResult') {
      for (const entryRow of held) ordered.push(entryRow);
      held = [];
      inAnswer = isAnswer(slot);
    }
    ordered.push(slot);
  }
  return [...ordered, ...held];
}

const isAnswer = (slot: MessageSlot): boolean => slot.role === 'assistant' && !slot.isEntryRow;

/** Estimates the number of lines of an article. Tool results, thinking and system prompts are folded. */
export function estimateLines(group: MessageGroup): number {
  const { role, bytes, isEntryRow } = group.first;
  const calls = group.to - group.from - 1;
  if (isEntryRow) return 1;
  if (role === 'toolResult') return 2;
  if (role === 'system') return 4;
  return 2 + calls * 2 + Math.min(40, Math.round(bytes / (role === 'assistant' ? 160 : 100)));
}
