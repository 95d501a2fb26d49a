/** A change of one place of a text, which can be taken back as long as the place is there. */
export interface TextChange {
  /** In UTF-16 units. */
  readonly offset: number;
  readonly removed: string;
  readonly inserted: string;
}

export const applied = (text: string, { offset, removed, inserted }: TextChange): string =>
  text.slice(0, offset) + inserted + text.slice(offset + removed.length);

/** Returns the text as it was before; `undefined` if the place isn't there any more, or isn't the only one like it. */
export function takenBack(text: string, { removed, inserted }: Omit<TextChange, 'offset'>): string | undefined {
  const at = text.indexOf(inserted);
  if (inserted === '' || at < 0 || text.includes(inserted, at + 1)) return undefined;
  return text.slice(0, at) + removed + text.slice(at + inserted.length);
}
