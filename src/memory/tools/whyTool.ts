import { isAbsolute } from 'node:path';
import {} from '../../core/index';
import { whyLine } from '../answers/whyLine';
import { answerText, budgetOf } from './answerText';
import { Quotation } from './quotation';
import { BOUNDS, number, text, type Tool } from './tool';
import { Refusal } from '../requestError';

const [MAX_TITLE, MAX_PROMPT] = [100, 1500];

export const whyTool: Tool = {
  title: 'Why is this line here?',
  description:
    'Find the prompt and the message of a recorded session that wrote one line of a file, and its commit. Use it before changing or removing ' +
    'code whose purpose isn’t clear. file: an absolute path; line: from 1, in the file as it is on the disk. Lines that no session wrote ' +
    'have no answer.',
  run: async ({ memory, args, notes }) => {
    const [file, line] = [text(args, 'file') ?? '', number(args, 'line') ?? 1];
    if (!isAbsolute(file)) throw new Refusal(`The path must be absolute: ${file}`);
    const { origin, commit } = await whyLine(memory, file, line);
    const quotation = new Quotation();
    const items: string[] = [];
    if (origin) {
      const { ref, title, promptRef, prompt, state, from, to } = origin;
      if (promptRef !== undefined) items.push(`asked at ${quotation.ref(promptRef)}: ${quotation.inline(prompt ?? '', MAX_PROMPT)}`);
      items.push(
        `written by ${quotation.ref(ref)} (${state}) with lines ${String(from)} to ${String(to)}, in ${quotation.inline(title, MAX_TITLE)}`,
      );
    }
    if (commit)
      items.push(
        `commit ${commit.hash.slice(0, 12)}, ${new Date(commit.time).toISOString().slice(0, 10)}: ${quotation.inline(commit.summary, MAX_TITLE)}`,
      );
    return answerText(
      quotation,
      {
        head: origin
          ? `Line ${String(line)} was written in a session, ${origin.certainty === 'exact' ? 'certainly' : 'probably'}${origin.time === undefined ? '' : `, on ${origin.time.slice(0, 10)}`}.`
          : `No session is known to have written line ${String(line)}.`,
        items,
        more: () => 'Cut. For the rest: why_line with maxTokens.',
        notes: [...(origin ? ['To read around it: read_branch with session and entryId.'] : []), ...notes],
      },
      budgetOf(number(args, 'maxTokens'), false, BOUNDS.list),
    );
  },
};
