/**
 * Returns a name without the icons before it: characters of private use, which only the fonts of some terminals have.
 * oh-my-pi puts one before the titles that it makes. More than two together are a word of someone's own alphabet.
 * FORMAT section 2, title slot.
 */
export const withoutIcon = (name: string): string => name.replace(/^(?:\p{Co}{1,2}\ufe0f?(?:\s+|$))+/u, '');
