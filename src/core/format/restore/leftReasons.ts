/** The reasons why a file is left as it is, or is a conflict. */

export type LeftReason =
  /** Both sides changed the same lines, or a file was made again. */
  | 'overlap'
  /** The base of a merge isn't known. */
  | 'noBase'
  /** The point has no such file. */
  | 'changedNewFile'
  | 'tooMuch'
  | 'notEncoded'
  | 'notText'
  | 'notRegular'
  | 'unreadable'
  | 'outside'
  | 'wayThere'
  | 'git'
  | 'kept'
  /** The disk differs from the plan, or from what a restore wrote. */
  | 'changed';

const TEMPLATES: Readonly<Record<LeftReason, string>> = {
  overlap: 'Changes that no session recorded are in the same place as recorded ones, so they can’t be merged.',
  noBase: 'The file has changes that no session recorded, and the text before them isn’t known, so nothing can be merged.',
  changedNewFile: 'The file wasn’t there at that point, but it has changes that no session recorded.',
  tooMuch: 'The file has changes that no session recorded, and it’s too large or too different for a merge.',
  notEncoded: 'The recorded text ends in half of a character, so it can’t be written as it was.',
  notText: 'What is on the disk now isn’t text in UTF-8.',
  notRegular: 'What is on the disk now isn’t a regular file, or it’s too large.',
  unreadable: 'What is on the disk now can’t be read.',
  outside: 'The file is outside of the session’s folder.',
  wayThere: 'Something on the way to this file is no folder, or a link that leads elsewhere.',
  git: 'The file belongs to Git’s own data.',
  kept: 'The file belongs to recorded sessions, or to the extension’s own data.',
  changed: 'The file was changed in the meantime.',
};

/** The sentence in English. The editor translates it. */
export const leftReason = (reason: LeftReason): string => TEMPLATES[reason];
