/** Tools whose calls decide how a turn ended: those that ask the person, and those with which a program ends a session itself. */
import { asString, isArray, isObject } from '../values/jsonValues';

/** pi's examples and extensions, oh-my-pi, and Claude Code as it's imported. Without case, `-` and `_`. */
const ASKING = new Set([
  'ask',
  'askuser',
  'askuserquestion',
  'askuserquestions',
  'askquestion',
  'question',
  'questionnaire',
  'clarify',
  'exitplanmode',
  'requestuserinput',
]);
/** The result of one of these ends a turn: oh-my-pi's subagents and pi's example of a structured answer. */
const ENDING = new Set(['submitresult', 'yield', 'structuredoutput', 'attemptcompletion']);

const plain = (name: string): string => name.toLowerCase().replace(/[-_]/g, '');

export const isAskingTool = (name: string | undefined): boolean => name !== undefined && ASKING.has(plain(name));
export const isEndingTool = (name: string | undefined): boolean => name !== undefined && ENDING.has(plain(name));

/** True for the details of an asking tool's result that has no answer: the person closed the question, or wants to talk about it. */
export const isLeftOpen = (details: unknown): boolean =>
  isObject(details) && (details['cancelled'] === true || details['answer'] === null || details['chatRedirect'] === true);

/** The calls in a message's content, with their ids and names. */
export function* callsOf(content: unknown): Generator<{ readonly id: string; readonly name: string; readonly args: unknown }> {
  for (const block of isArray(content) ? content : []) {
    if (isObject(block) && block['type'] === 'toolCall')
      yield { id: asString(block['id']) ?? '', name: asString(block['name']) ?? '', args: block['arguments'] };
  }
}
