import { costText } from '../../core/index';
import { digestOf, type DigestAnswer } from '../answers/digest';
import { locateKnown } from '../refs';
import { answerText, budgetOf } from './answerText';
import { withEntry } from './branchTool';
import { Quotation } from './quotation';
import { BOUNDS, number, text, type Tool } from './tool';

/** UTF-16 units of texts. */
const [MAX_PROMPT, MAX_OUTCOME, MAX_SUMMARY, MAX_COMMAND] = [240, 600, 1200, 160];
/** Prompts and commands that come before everything else. */
const FIRST = 3;

export const digestTool: Tool = {
  title: 'Digest of a branch',
  description:
    'Sum up one branch of a session: tried, left, because. What was asked on it, which files and commands, what failed, how it ended, and, if ' +
    'it was left, which branch replaced it. Use it to judge an attempt before repeating it. It is made of the recording alone. To read the ' +
    'messages themselves, use read_branch.',
  run: async ({ memory, args, notes }) => {
    const located = withEntry(await locateKnown(memory, text(args, 'session') ?? ''), text(args, 'entryId'));
    const branch = await digestOf(memory, located);
    const bytes = budgetOf(number(args, 'maxTokens'), false, BOUNDS.digest);
    const quotation = new Quotation();
    const items = digestItems(branch, quotation);
    return answerText(
      quotation,
      {
        head: headOf(branch, quotation),
        items,
        more: (shown) => `Cut: ${String(items.length - shown)} more lines. For them: branch_digest with maxTokens.`,
        notes,
      },
      bytes,
    );
  },
};

function headOf({ ref, state, forkRef, replacedBy, failures, usage, began, ended }: DigestAnswer, quotation: Quotation): string {
  const at = quotation.ref(ref);
  const since = forkRef === undefined ? '' : `, forked at ${quotation.ref(forkRef)}`;
  const fate =
    state === 'active'
      ? `active: ${at} is the branch that the session is on${since}.`
      : replacedBy
        ? `left: ${at} was left${since}; the person went on at ${quotation.ref(replacedBy.ref)}.`
        : `left: ${at} was left${since}.`;
  const times = began === undefined || ended === undefined ? '' : ` From ${began.slice(0, 16)} to ${ended.slice(0, 16)} UTC.`;
  return `${fate} ${String(failures)} failures, ${costText(usage.cost, 'en')}.${times}`;
}

/** The lines in the order of their weight. */
function digestItems({ title, prompts, replacedBy, outcome, summary, commands, files }: DigestAnswer, quotation: Quotation): string[] {
  const asked = prompts.map(({ ref, text: prompt }) => `asked ${quotation.ref(ref)}: ${quotation.inline(prompt, MAX_PROMPT)}`);
  const ran = commands.map(({ command, failed }) => `ran${failed ? ', failed' : ''}: ${quotation.inline(command, MAX_COMMAND)}`);
  const failed = ran.filter((_, at) => commands[at]?.failed);
  const passed = ran.filter((_, at) => !commands[at]?.failed);
  const touched = files.map(({ file, kind }) => `${kind === 'write' ? 'wrote' : 'read'}: ${quotation.exact(file)}`);
  const wrote = touched.filter((_, at) => files[at]?.kind === 'write');
  const read = touched.filter((_, at) => files[at]?.kind === 'read');
  return [
    `session: ${quotation.inline(title, MAX_PROMPT)}`,
    ...asked.slice(0, FIRST),
    ...(outcome === '' ? [] : [`ended with: ${quotation.inline(outcome, MAX_OUTCOME)}`]),
    ...(replacedBy ? [`replaced by: ${quotation.inline(replacedBy.prompt, MAX_PROMPT)}`] : []),
    ...(summary === undefined ? [] : [`recorded summary: ${quotation.inline(summary, MAX_SUMMARY)}`]),
    ...failed.slice(0, FIRST),
    ...wrote,
    ...asked.slice(FIRST),
    ...failed.slice(FIRST),
    ...passed,
    ...read,
  ];
}
