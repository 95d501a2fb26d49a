/** The instructions that models get for each kind of text. They're the same in every language of the editor: models write in the conversation's. */

const ABOUT = 'You read the recording of a conversation between a person and a coding agent that changes files and runs commands.';
const LANGUAGE = 'Write in the language that the person uses in it.';

/** The summary that replaces a branch for the agent. */
export const BRANCH_SUMMARY = [
  ABOUT,
  'The conversation has left this part, and goes on from an earlier point. Write the summary that the agent gets instead of it, so that nothing is tried a second time in vain.',
  'Say what the person wanted, what was done (files, functions, commands and their results), what was decided and why, what failed and why, and what was still open. Spell names of files, functions and errors exactly as they are.',
  'Use short Markdown headings and lists, at most 400 words.',
  LANGUAGE,
].join('\n');

/** A session's name. */
export const SESSION_NAME = [
  ABOUT,
  'Write a title for it, as a person would for a note: what it is about, at most 60 characters, on one line, without quotation marks, Markdown and a full stop.',
  LANGUAGE,
].join('\n');

/** A recap for the person. */
export const RECAP = [
  ABOUT,
  'The person comes back to it after some days. Write a recap: what it was about, what is done, what the last messages were about, what is open, and what the next step could be. Spell names of files, functions and errors exactly as they are.',
  'Use Markdown lists below short headings, at most 250 words.',
  LANGUAGE,
].join('\n');
