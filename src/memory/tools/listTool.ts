import { defined } from '../../core/index';
import { listSessions } from '../answers/listSessions';
import type { SessionAnswer } from '../answers/values';
import { answerText, budgetOf } from './answerText';
import { Quotation } from './quotation';
import { BOUNDS, number, text, type Tool } from './tool';

const [LIMIT, MAX_TITLE] = [20, 100];

export const listTool: Tool = {
  title: 'List sessions',
  description:
    'List recorded coding sessions, newest first, with title, folder and path. Use it to find “the last session”, or what was worked on in a ' +
    'project. To find something that was said, use search_sessions instead.',
  run: async ({ memory, args, notes }) => {
    const limit = number(args, 'limit');
    const bytes = budgetOf(number(args, 'maxTokens'), limit !== undefined, BOUNDS.list);
    const { sessions, total } = await listSessions(memory, { ...defined({ project: text(args, 'project') }), limit: limit ?? LIMIT });
    const quotation = new Quotation();
    const secrets = await memory.secrets();
    const items: string[] = [];
    for (const session of sessions) items.push(sessionText({ ...session, title: await secrets.text(session.title) }, quotation));
    return answerText(
      quotation,
      {
        head: total === 0 ? 'There are no sessions.' : `${String(total)} ${total === 1 ? 'session' : 'sessions'}, newest first.`,
        items,
        more: (shown) =>
          `Cut after ${String(shown)} sessions. For more: list_sessions with limit ${String(shown + LIMIT)}, or with maxTokens.`,
        notes: [
          ...(total > sessions.length ? [`${String(total - sessions.length)} older sessions: list_sessions with a larger limit.`] : []),
          ...notes,
        ],
      },
      bytes,
    );
  },
};

function sessionText({ ref, title, modified, messages, project, path, problem, parent }: SessionAnswer, quotation: Quotation): string {
  const facts = [
    quotation.inline(title, MAX_TITLE),
    ...(modified === undefined ? [] : [`${modified.slice(0, 16).replace('T', ' ')} UTC`]),
    ...(messages === undefined ? [] : [`${String(messages)} ${messages === 1 ? 'message' : 'messages'}`]),
    ...(project === '' ? [] : [`in ${quotation.exact(project)}`]),
    `path ${quotation.exact(path)}`,
    ...(parent === undefined ? [] : [`a subagent of ${quotation.ref(parent)}`]),
    ...(problem === undefined ? [] : [`can’t be read: ${quotation.inline(problem, MAX_TITLE)}`]),
  ];
  return `- ${quotation.ref(ref)}: ${facts.join(', ')}`;
}
