import { defined, type KnownWord } from '../../core/index';
import { searchSessions, sessionCount, wordsOfQuestion, type SearchRequest } from '../answers/searchSessions';
import type { HitAnswer } from '../answers/values';
import { answerText, budgetOf } from './answerText';
import { Quotation } from './quotation';
import { BOUNDS, number, text, type Tool } from './tool';

const LIMIT = 10;
/** Limits of parts of a hit, in UTF-16 units. */
const [MAX_TITLE, MAX_PROMPT, MAX_SNIPPET] = [80, 160, 320];
/** The most words that sessions have, or that none has, and their UTF-16 units. */
const [MAX_WORDS, MAX_WORD] = [8, 40];
/** First hits that are given with their turn, and the limits of its texts. */
const [TURNS, MAX_ASKED, MAX_ANSWERED] = [3, 200, 500];

export const searchTool: Tool = {
  title: 'Search sessions',
  description:
    'Search what was said, run and returned in all recorded coding sessions of this machine, on all branches. Use it before solving ' +
    'something that may have been solved, tried or decided before: “how did we fix …”, “what did we try”, an error message, a file ' +
    'name. Not for the code as it is now: read the files. Each hit says whether its branch is active, or was left and what replaced it; ' +
    'what is said on a branch that was left was given up, so don’t report it as done. Query: a few words, or the question. Entries with all ' +
    'words come first, then those that fit best, with the words that they lack. If nothing is found, the answer says which words sessions ' +
    'have: ask once or twice more with other words for it. If that finds nothing, it was most likely never said.',
  run: async ({ memory, args, notes }) => {
    const query = text(args, 'query') ?? '';
    const limit = number(args, 'limit');
    const bytes = budgetOf(number(args, 'maxTokens'), limit !== undefined, BOUNDS.list);
    const asked = limit ?? LIMIT;
    const limits = defined({ project: text(args, 'project'), role: text(args, 'role') });
    // One more tells whether there are more.
    const request: SearchRequest = { query, limit: asked + 1, turns: TURNS, ...limits };
    const found = await searchSessions(memory, request);
    const hits = found.slice(0, asked);
    const isMore = found.length > asked;
    const quotation = new Quotation();
    if (hits.length === 0) return nothingText(query, await wordsOfQuestion(memory, request), quotation, notes, bytes);
    const left = hits.filter(({ state }) => state === 'left').length;
    const head = `${isMore ? 'More than ' : ''}${String(hits.length)} ${hits.length === 1 ? 'hit' : 'hits'}: ${String(hits.length - left)} active, ${String(left)} on branches that were left.`;
    const more = (shown: number): string =>
      `Cut after ${String(shown)} hits. For more: search_sessions with limit ${String(Math.max(asked, shown) + LIMIT)}, or with maxTokens.`;
    return answerText(
      quotation,
      {
        head,
        items: hits.map((hit, at) => hitText(hit, at + 1, quotation)),
        more,
        notes: [
          ...(isMore ? [`There are more hits: search_sessions with limit ${String(asked * 2)}.`] : []),
          'To read around a hit: read_branch with session and entryId, or branch_digest for its branch.',
          ...notes,
        ],
      },
      bytes,
    );
  },
};

/** Says that nothing was found, and which words of the question to ask without, or instead of. */
function nothingText(query: string, words: readonly KnownWord[], quotation: Quotation, notes: readonly string[], bytes: number): string {
  const quoted = ({ word }: KnownWord): string => quotation.inline(word, MAX_WORD);
  const known = words.filter(({ sessions }) => sessions > 0).slice(0, MAX_WORDS);
  const unknown = words.filter(({ sessions }) => sessions === 0).slice(0, MAX_WORDS);
  const counted = known.map((one) => `${quoted(one)} (${sessionCount(one)})`);
  const items = [
    ...(known.length > 0 ? [`Sessions have these of its words, which doesn’t mean that it happened: ${counted.join(', ')}.`] : []),
    ...(unknown.length > 0 ? [`No session has: ${unknown.map(quoted).join(', ')}.`] : []),
    ...(words.length > 0
      ? [
          `Ask again with ${known.length > 0 ? 'some of these alone, or with ' : ''}other words for it, in English or in the language of the sessions.`,
        ]
      : []),
  ];
  const head = `Nothing in the sessions fits ${quotation.inline(query, 200)}.`;
  return answerText(quotation, { head, items, more: () => 'Cut: search_sessions with a larger maxTokens.', notes }, bytes);
}

function hitText(
  { ref, state, role, time, title, project, snippet, replacedBy, elsewhere = [], missing = [], turn }: HitAnswer,
  at: number,
  quotation: Quotation,
): string {
  const facts = [`${String(at)}. ${state} ${quotation.ref(ref)}`, quotation.word(role), ...(time === undefined ? [] : [time.slice(0, 10)])];
  const where = [`in ${quotation.inline(title, MAX_TITLE)}`, ...(project === '' ? [] : [quotation.exact(project)])];
  return [
    `${facts.join(', ')}, ${where.join(', ')}`,
    `   ${quotation.inline(snippet, MAX_SNIPPET)}`,
    ...(turn?.asked === undefined ? [] : [`   asked: ${quotation.inline(turn.asked, MAX_ASKED)}`]),
    ...(turn?.answered === undefined ? [] : [`   turn ended with: ${quotation.inline(turn.answered, MAX_ANSWERED)}`]),
    ...(elsewhere.length > 0 ? [`   only elsewhere in the session: ${quotation.inline(elsewhere.join(', '), MAX_TITLE)}`] : []),
    ...(missing.length > 0 ? [`   without: ${quotation.inline(missing.join(', '), MAX_TITLE)}`] : []),
    ...(replacedBy ? [`   left, replaced by ${quotation.ref(replacedBy.ref)}: ${quotation.inline(replacedBy.prompt, MAX_PROMPT)}`] : []),
  ].join('\n');
}
