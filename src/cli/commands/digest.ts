import { costText, sanitizeText } from '../../core/index';
import { digestOf, type DigestAnswer } from '../../memory/answers/digest';
import { locate } from '../../memory/refs';
import type { Answer, Call, Options } from '../command';
import { line, type Paint } from '../output';
import { localTime } from './shared';

/** Sums up a branch: what was asked, touched and run on it, how it ended, and what replaced it. */
export async function digest({ memory, paint }: Call, [ref = '']: readonly string[], options: Options): Promise<Answer> {
  const located = await locate(memory, ref);
  const branch = await digestOf(memory, located, { redact: options['redact'] !== false });
  return { json: { branches: [branch] }, lines: digestLines(branch, paint), found: true };
}

function digestLines(branch: DigestAnswer, paint: Paint): string[] {
  const { ref, state, title, began, ended, forkRef, replacedBy, prompts, files, commands, failures, outcome, summary, usage } = branch;
  const section = (name: string, lines: readonly string[]): string[] => (lines.length === 0 ? [] : ['', paint('bold', name), ...lines]);
  return [
    `${paint(state === 'active' ? 'green' : 'yellow', state)}  ${paint('cyan', line(ref))}  ${line(title)}`,
    paint(
      'dim',
      [`${localTime(began).trim()} – ${localTime(ended).trim()}`, costText(usage.cost, 'en'), `${String(failures)} failures`].join(' · '),
    ),
    ...(forkRef === undefined ? [] : [`since the fork at ${line(forkRef)}`]),
    ...(replacedBy ? [`replaced by ${line(replacedBy.ref)}: ${line(replacedBy.prompt)}`] : []),
    ...section(
      'Asked',
      prompts.map(({ id, text }) => `  ${line(text)} ${paint('cyan', `#${line(id)}`)}`),
    ),
    ...section(
      'Files',
      files.map(({ file, kind }) => `  ${kind} ${line(file)}`),
    ),
    ...section(
      'Commands',
      commands.map(({ command, failed }) => `  ${failed ? paint('red', 'failed') : 'ok    '} ${line(command)}`),
    ),
    ...section('Outcome', outcome === '' ? [] : [`  ${line(outcome)}`]),
    ...section('Summary', summary === undefined ? [] : [`  ${sanitizeText(summary)}`]),
  ];
}
