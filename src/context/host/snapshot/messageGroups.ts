/** Which messages make one article: an assistant's message and the results of its calls. */
import type { ContextStatus } from '../../../core/index';

/** What is known of a message, or of an entry that is none, without its body. */
export interface MessageSlot {
  /** The entry that the message came from. */
  readonly entryId: string;
  readonly role: string;
  /** Of its entry in the file; says about how long the article will be. */
  readonly bytes: number;
  readonly label?: string;
  readonly contextStatus: ContextStatus;
  /** It has a thin row and no article: it is no message, or one that was taken out. */
  readonly isEntryRow?: true;
}

/** Slots `from` to `to` (not included). */
export interface MessageGroup {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

export function groupMessages(slots: readonly MessageSlot[]): MessageGroup[] {
  const groups: { key: string; from: number; to: number }[] = [];
  const counts = new Map<string, number>();
  slots.forEach((slot, index) => {
    const last = groups.at(-1);
    if (slot.role === 'toolResult' && !slot.isEntryRow && last && isAnswer(slots[last.from]!)) {
      last.to = index + 1;
      return;
    }
    // A compaction may bring several messages of the one entry.
    const before = counts.get(slot.entryId) ?? 0;
    counts.set(slot.entryId, before + 1);
    groups.push({ key: before === 0 ? slot.entryId : `${slot.entryId}#${before}`, from: index, to: index + 1 });
  });
  return groups;
}

/** Thin rows between an answer and the results of its calls come after the results, so that those stay together. */
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

/** About how many lines an article will have on the page. Tool results and thinking are folded. */
export function estimateLines(group: MessageGroup, slots: readonly MessageSlot[]): number {
  const { role, bytes, isEntryRow } = slots[group.from]!;
  const calls = group.to - group.from - 1;
  if (isEntryRow) return 1;
  if (role === 'toolResult') return 2;
  return 2 + calls * 2 + Math.min(40, Math.round(bytes / (role === 'assistant' ? 160 : 100)));
}
