/** Finds what a model answered to comments that were sent. */
import {
  entryPlainText,
  isPrompt,
  newestTipBelow,
  pathTo,
  readBodies,
  Yielder,
  type CommentAnswer,
  type KeptComment,
  type Session,
} from '../../core/index';

/** UTF-16 units of an answer's beginning. */
const MAX_ANSWER = 600;
/** UTF-16 units of a comment that are looked for in prompts. */
const MAX_SOUGHT = 200;
/** Milliseconds by which the clocks of a program and of this extension may differ. */
const CLOCKS = 2000;
/** Prompts after a comment was sent that are looked at. */
const MAX_PROMPTS = 5;

/** Returns the answer so far; `undefined` if there is none. @throws the errors of reading the session */
export async function answerTo({ text, sent = [] }: KeptComment, session: Session): Promise<CommentAnswer | undefined> {
  const last = sent.at(-1);
  if (!last || !session.byId.has(last.entryId)) return undefined;
  const { entryId, at } = last;
  const tip = await new Yielder(undefined).run(newestTipBelow(session, entryId));
  const path = pathTo(session, tip);
  const below = path.slice(path.findIndex(({ id }) => id === entryId) + 1);
  const prompts = below.filter((head) => isPrompt(head) && head.time >= at - CLOCKS).slice(0, MAX_PROMPTS);
  const sought = text.trim().slice(0, MAX_SOUGHT);
  const texts = await readBodies(
    session,
    prompts.map(({ id }) => id),
  );
  const which = texts.findIndex((entry) => entryPlainText(entry).includes(sought));
  // The person may have changed the text before it went.
  const prompt = prompts[Math.max(which, 0)];
  if (!prompt) return undefined;
  const after = below.slice(below.findIndex(({ id }) => id === prompt.id) + 1);
  const next = after.findIndex(isPrompt);
  const turn = next < 0 ? after : after.slice(0, next);
  const said = turn.filter(({ role, text: words }) => role === 'assistant' && words !== '').at(-1);
  if (!said) return undefined;
  const [body] = await readBodies(session, [said.id]);
  return {
    path: session.path,
    promptId: prompt.id,
    entryId: (turn.at(-1) ?? said).id,
    text: (body ? entryPlainText(body) : said.text).trim().slice(0, MAX_ANSWER),
  };
}
