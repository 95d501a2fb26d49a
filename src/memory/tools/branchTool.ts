import { defined } from '../../core/index';
import { callsAndText, readBranch } from '../answers/readBranch';
import type { MessageAnswer } from '../answers/values';
import { entryOf, locateKnown, namesOf, type Located } from '../refs';
import { answerText, budgetOf, BYTES_OF_TOKEN } from './answerText';
import { cleanBlock, Quotation } from './quotation';
import { BOUNDS, number, text, type Tool } from './tool';

/** Bytes of the first and the last lines of an answer, without the two references in them. */
const FRAME = 480;
/** The least bytes of texts. */
const MIN_TEXTS = 200;

export const branchTool: Tool = {
  title: 'Read a branch',
  description:
    'Read the messages of a branch in full, up to an entry: by default the newest of the active branch. Use it after search_sessions or ' +
    'session_tree, with the session and entryId of a hit. fromId begins later. If it has to be cut, what is nearest to the entry stays. ' +
    'For “what was tried and why was it left”, branch_digest is shorter.',
  run: async ({ memory, args, notes }) => {
    const located = withEntry(await locateKnown(memory, text(args, 'session') ?? ''), text(args, 'entryId'));
    const { session, refs } = located;
    const given = text(args, 'fromId');
    const maxBytes = number(args, 'maxBytes');
    const bound = maxBytes === undefined ? BOUNDS.branch : Math.min(maxBytes, BOUNDS.longBranch);
    const bytes = budgetOf(number(args, 'maxTokens'), maxBytes !== undefined, bound);
    const quotation = new Quotation();
    const reference = quotation.ref(refs.of(namesOf(session), located.entryId ?? session.leafId ?? undefined));
    const branch = await readBranch(memory, located, {
      maxBytes: Math.max(MIN_TEXTS, bytes - FRAME - 2 * Buffer.byteLength(reference)),
      clean: cleanBlock,
      ...(given === undefined ? {} : { fromId: entryOf(session, idOf(given)) }),
    });
    const { messages, cut, cutRef } = branch;
    const last = messages.at(-1);
    return answerText(
      quotation,
      {
        head:
          last === undefined
            ? `${reference} has no messages.`
            : `${String(messages.length)} messages up to ${reference}, which is ${last.state === 'active' ? 'on the active branch' : 'on a branch that was left'}. Oldest first.`,
        items: messages.map((message) => messageText(message, quotation)),
        more: () => 'Cut. For more: read_branch with maxBytes.',
        keepsLast: true,
        notes: [
          ...(cut > 0 && cutRef !== undefined
            ? [
                `${String(cut)} earlier messages are cut: read_branch with entryId of ${quotation.ref(cutRef)}, or with maxBytes ${String(bytes * BYTES_OF_TOKEN)}.`,
              ]
            : []),
          ...notes,
        ],
      },
      bytes,
    );
  },
};

const idOf = (given: string): string => given.slice(given.lastIndexOf('#') + 1);

/** An entry may be given as its id or as a reference. @throws {SessionError} */
export const withEntry = (located: Located, given: string | undefined): Located =>
  given === undefined ? located : { ...located, ...defined({ entryId: entryOf(located.session, idOf(given)) }) };

function messageText(message: MessageAnswer, quotation: Quotation): string {
  const { id, role, time, tool, isError, cutBytes, state } = message;
  const facts = [
    quotation.word(role),
    quotation.id(id),
    ...(tool === undefined ? [] : [quotation.word(tool)]),
    ...(isError ? ['failed'] : []),
    ...(state === 'left' ? ['left'] : []),
    ...(time === undefined ? [] : [time.slice(0, 16)]),
    ...(cutBytes === undefined ? [] : [`${String(cutBytes)} bytes cut`]),
  ];
  return `[${facts.join(' ')}]\n${quotation.block(callsAndText(message))}`;
}
