import { defined } from '../../core/index';
import { sessionTree } from '../answers/sessionTree';
import type { EntryAnswer } from '../answers/values';
import { locateKnown, namesOf } from '../refs';
import { answerText, budgetOf } from './answerText';
import { Quotation } from './quotation';
import { BOUNDS, number, text, type Tool } from './tool';

const [MAX_TEXT, MAX_LABEL, MAX_DEPTH] = [160, 60, 12];

export const treeTool: Tool = {
  title: 'Tree of a session',
  description:
    'Show the entries of one session as a tree with all its branches: what was asked at each fork, which branch is active, and which were ' +
    'left. Use it to see the attempts in a session before reading one. filter: default, no-tools, user-only, labeled-only or all. To read ' +
    'messages whole, use read_branch; for the sum of one branch, branch_digest.',
  run: async ({ memory, args, notes }) => {
    const located = await locateKnown(memory, text(args, 'session') ?? '');
    const filter = text(args, 'filter');
    const bytes = budgetOf(number(args, 'maxTokens'), false, BOUNDS.list);
    const session = located.refs.of(namesOf(located.session));
    const answer = async (given: string | undefined, reduced: readonly string[]): Promise<string> => {
      const entries = await sessionTree(memory, located, defined({ filter: given }));
      const quotation = new Quotation();
      const left = entries.filter(({ state }) => state === 'left').length;
      return answerText(
        quotation,
        {
          head: `${quotation.ref(session)} has ${String(entries.length)} entries here, ${String(left)} of them on branches that were left. An entry’s reference is the session’s with #id.`,
          items: entries.map((entry) => entryText(entry, quotation)),
          more: (shown) =>
            `Cut after ${String(shown)} of ${String(entries.length)} entries. For more: session_tree with filter user-only, or with maxTokens.`,
          notes: [...reduced, ...notes],
        },
        bytes,
      );
    };
    const whole = await answer(filter, []);
    if (filter !== undefined || !whole.includes('\nCut after ')) return whole;
    // The prompts alone show the branches.
    return answer('user-only', ['Only prompts are shown, because everything is too long: session_tree with filter default and maxTokens.']);
  },
};

function entryText({ id, role, type, text: row, label, state, isLeaf, depth }: EntryAnswer, quotation: Quotation): string {
  const facts = [quotation.word(role ?? type), `#${quotation.id(id)}`, state, ...(isLeaf ? ['leaf'] : [])];
  const named = label === undefined ? '' : ` label ${quotation.inline(label, MAX_LABEL)}`;
  return `${'  '.repeat(Math.min(depth, MAX_DEPTH))}- ${facts.join(' ')}${named}: ${quotation.inline(row, MAX_TEXT)}`;
}
