/** Which messages of a context make one article: an assistant's message and the results of its calls. */

/** What is known of a message without its body. */
export interface Slot {
  /** The entry that the message came from. */
  readonly entryId: string;
  readonly role: string;
  /** Of its entry in the file; says about how long the article will be. */
  readonly bytes: number;
  readonly label?: string;
}

/** Messages `from` to `to` (not included) of the context. */
export interface Group {
  readonly key: string;
  readonly from: number;
  readonly to: number;
}

export function groupMessages(slots: readonly Slot[]): Group[] {
  const groups: { key: string; from: number; to: number }[] = [];
  const made = new Map<string, number>();
  slots.forEach((slot, index) => {
    const last = groups.at(-1);
    if (slot.role === 'toolResult' && last && slots[last.from]!.role === 'assistant') {
      last.to = index + 1;
      return;
    }
    // A compaction may bring several messages of the one entry.
    const before = made.get(slot.entryId) ?? 0;
    made.set(slot.entryId, before + 1);
    groups.push({ key: before === 0 ? slot.entryId : `${slot.entryId}#${before}`, from: index, to: index + 1 });
  });
  return groups;
}

/** About how many lines an article will have on the page. Tool results and thinking are folded. */
export function linesOf(group: Group, slots: readonly Slot[]): number {
  const { role, bytes } = slots[group.from]!;
  const calls = group.to - group.from - 1;
  if (role === 'toolResult') return 2;
  return 2 + calls * 2 + Math.min(40, Math.round(bytes / (role === 'assistant' ? 160 : 100)));
}
