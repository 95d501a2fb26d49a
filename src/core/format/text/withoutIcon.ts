/**
 * Returns a name without the icon before it: one character of private use, which only the fonts of some terminals have.
 * oh-my-pi puts one before the titles that it makes. FORMAT section 2, title slot.
 */
export const withoutIcon = (name: string): string => name.replace(/^\p{Co}(?:\s+|$)/u, '');
