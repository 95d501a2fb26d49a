import { costText, defined, numberText } from '../../core/index';
import { usageOf } from '../answers/usage';
import { answerText, budgetOf } from './answerText';
import { Quotation } from './quotation';
import { BOUNDS, number, text, type Tool } from './tool';

export const usageTool: Tool = {
  title: 'What sessions cost',
  description:
    'Add up tokens and dollars of all recorded sessions by day, month, project, model, session, family, program or cause, each answer once. ' +
    'Use it for questions about cost. since: a date such as 2026-11-01, yesterday or 3w. For one branch, branch_digest has its cost.',
  run: async ({ memory, args, notes }) => {
    const by = text(args, 'by') ?? 'day';
    const sums = await usageOf(memory, { by, ...defined({ since: text(args, 'since') }) });
    const quotation = new Quotation();
    const cost = sums.reduce((total, sum) => total + sum.cost, 0);
    // Days are listed with the newest first, because these are asked for most.
    const shown = by === 'day' || by === 'month' ? sums.toReversed() : sums;
    const tokens = (count: number): string => numberText(count, 'en');
    return answerText(
      quotation,
      {
        head:
          sums.length === 0
            ? 'Nothing was used.'
            : `${costText(cost, 'en')}, by ${by}.${by === 'cause' ? ' An answer counts for each of its causes.' : ''}`,
        items: shown.map(
          ({ key, ref, ...sum }) =>
            `- ${ref === undefined ? quotation.exact(key) : quotation.ref(ref)}: ${costText(sum.cost, 'en')}, input ${tokens(sum.input)}, output ${tokens(sum.output)}, cache read ${tokens(sum.cacheRead)}, cache write ${tokens(sum.cacheWrite)}`,
        ),
        more: (count) =>
          `Cut after ${String(count)} of ${String(sums.length)} sums. For more: session_usage with since, or with maxTokens.`,
        notes,
      },
      budgetOf(number(args, 'maxTokens'), false, BOUNDS.list),
    );
  },
};
