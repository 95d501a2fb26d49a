import { defined, sanitizeText } from '../../core/index';
import { callsAndText, readBranch } from '../../memory/answers/readBranch';
import type { MessageAnswer } from '../../memory/answers/values';
import { entryOf, locate, namesOf } from '../../memory/refs';
import { numberOption, textOption, type Answer, type Call, type Options } from '../command';
import { line, type Paint } from '../output';
import { localTime } from './shared';

/** Shows the messages of a branch up to an entry. */
export async function show({ memory, paint }: Call, [ref = '']: readonly string[], options: Options): Promise<Answer> {
  const located = await locate(memory, ref);
  const from = textOption(options, 'from');
  const { messages, cut, cutRef, entryId } = await readBranch(memory, located, {
    ...defined({ maxBytes: numberOption(options, 'maxBytes') }),
    // An entry may be given as it stands in a reference.
    ...(from === undefined ? {} : { fromId: entryOf(located.session, from.slice(from.lastIndexOf('#') + 1)) }),
    redact: options['redact'] !== false,
  });
  const left = cut === 0 ? [] : [`[${String(cut)} earlier messages are left out. The last of them: ${line(cutRef ?? '')}]`, ''];
  return {
    json: {
      ref: located.refs.of(namesOf(located.session), entryId ?? undefined),
      path: located.session.path,
      messages,
      ...(cut === 0 ? {} : { cut: { messages: cut, ...defined({ ref: cutRef }) } }),
    },
    lines: [...left, ...messages.flatMap((message) => messageLines(message, paint))],
    found: messages.length > 0,
    ...(messages.length === 0 ? { note: 'This branch has no messages.' } : {}),
  };
}

function messageLines(message: MessageAnswer, paint: Paint): string[] {
  const { role, time, id, tool, isError, cutBytes } = message;
  const head = [
    line(role),
    ...(tool === undefined ? [] : [line(tool)]),
    ...(isError ? ['failed'] : []),
    localTime(time).trim(),
    `#${line(id)}`,
  ];
  return [
    paint('bold', head.filter((part) => part !== '').join(' · ')),
    sanitizeText(callsAndText(message)),
    ...(cutBytes === undefined ? [] : [`[${String(cutBytes)} bytes are cut]`]),
    '',
  ];
}
