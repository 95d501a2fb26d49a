/**
 * Tells if an answer ends with a question to the person: by its structure first, and by the words of `questionWords` only within it.
 * FORMAT section 5.
 */
import { ending } from '../text/characters';
import { announcesQuestions, asksForChoice, followsQuestion, isDirect, isPolite, isRequest, isSelfAnswer } from './questionWords';
import { textBlocks, type TextBlock } from './textBlocks';

/** UTF-16 units at the end of an answer that are looked at. */
const MAX_LENGTH = 16_384;
/** UTF-16 units at the end of a sentence that are looked at. The patterns for marks take time by the square of it. */
const MAX_SENTENCE = 1000;
/** Blocks after the question: choices, code, and words about it. */
const MAX_BLOCKS_AFTER = 4;

/** Question marks of all scripts. The Greek one looks like a semicolon, and texts mostly have that. */
const MARK = new RegExp('[?？؟⸮፧꘏⳺⳻︖﹖]$|(?<=\\p{Script=Greek})[;\\u037e]$', 'u');
/** Questions of languages that write them without a mark: the particle at the end, or a mark within the word. */
const WITHOUT_MARK = new RegExp('(?:でしょう|ません|です|ます)か。?$|(?:ไหม|มั้ย)(?:ครับ|คะ|ค่ะ)?$|\\p{Script=Armenian}՞[^։]*։?$', 'u');
/** Emphasis, closing brackets, emoji and white space after the mark. A closing quotation mark isn't among them: then it's a quoted question. */
const AFTER_MARK = new RegExp('(?:[\\s*_~)\\]）】]|\\p{Extended_Pictographic}|[\\ufe0f\\u200d])+$', 'u');
const SENTENCE_END = new RegExp('(?<=[.!?…;:](?:["”’)*_]{0,3})\\s)|(?<=[。！？؟።፧।։])', 'u');
/** An address that ends with the mark of its query. */
const PATH_END = /:\/\/\S*\?$|(?:^|\s)\/\S*\?$/;
/** A sentence in which quotation marks begin and the answer's end doesn't close them. */
const OPEN_QUOTE = new RegExp('[“„«「『‘][^”“»」』’]*$');
/** A question in emphasis within a sentence. */
const EMPHASIZED_QUOTE = new RegExp('^[^*_]+\\s([*_]{1,3})[^*_]+[?？]\\1$');
/** A line that is bold as a whole, without a question to the person in it, is a heading. */
const BOLD_LINE = /^\*\*[^*]+\*\*:?$/;

export function endsWithQuestion(answer: string): boolean {
  const blocks = textBlocks(ending(answer, MAX_LENGTH));
  let hasChoices = false;
  for (let after = 0; after <= MAX_BLOCKS_AFTER; after++) {
    const block = blocks.pop();
    if (!block || block.kind === 'heading') return false;
    if (block.kind === 'prose') {
      const sentences = sentencesOf(block.lines);
      while (sentences.length > 0 && followsQuestion(sentences.at(-1) ?? '') && !isRequest(sentences.at(-1) ?? '')) sentences.pop();
      // All of it was about a question, which then is in a block above.
      if (sentences.length === 0) continue;
      return isQuestion(sentences, hasChoices);
    }
    if (block.kind === 'list') {
      const items = sentencesOf(block.lines.slice(-1));
      if (!hasChoices && isAsked(items.at(-1) ?? '') && listAsks(blocks.at(-1))) return true;
    }
    hasChoices = true;
  }
  return false;
}

/** Questions in a list are asked if the sentence above it announces them, or the list is all there is. */
const listAsks = (above: TextBlock | undefined): boolean =>
  above === undefined || (above.kind === 'prose' && announcesQuestions(sentencesOf(above.lines).at(-1) ?? ''));

/** @param hasChoices true if a list, code or a table follows */
function isQuestion(sentences: readonly string[], hasChoices: boolean): boolean {
  const last = sentences.at(-1) ?? '';
  const before = sentences.at(-2) ?? '';
  if (isRequest(last)) return true;
  if (isAsked(last)) return hasChoices ? !BOLD_LINE.test(last) && asksForChoice(last) : true;
  if (hasChoices && /[:\uff1a]$/.test(last)) return isDirect(last);
  return isAsked(before) && isDirect(before) && !isSelfAnswer(last);
}

/** True for a sentence that ends with a question mark of its own, and isn't only polite. */
function isAsked(whole: string): boolean {
  const sentence = ending(whole, MAX_SENTENCE);
  const bare = sentence.replace(AFTER_MARK, '');
  if (!MARK.test(bare) && !WITHOUT_MARK.test(bare)) return false;
  return !isPolite(bare) && !PATH_END.test(bare) && !OPEN_QUOTE.test(bare) && !EMPHASIZED_QUOTE.test(sentence) && !isInCode(bare);
}

/** An odd number of backticks before the mark. */
const isInCode = (text: string): boolean => text.split('`').length % 2 === 0;

/** Code within a line counts as a word. */
const sentencesOf = (lines: readonly string[]): string[] =>
  lines
    .join(' ')
    .replace(/`[^`]+`/g, '`code`')
    .split(SENTENCE_END)
    .map((sentence) => sentence.trim())
    .filter((sentence) => /[\p{L}\p{N}]/u.test(sentence));
