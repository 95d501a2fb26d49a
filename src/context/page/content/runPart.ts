/** Draws a command that the user ran, with its output. */
import type { RunPart } from '../../shared/protocol';
import type { PageContext } from '../shell/pageContext';
import { formatMessage, h } from '../ui/dom';
import { icon } from '../ui/icons';
import { longText, type TextLocation } from './longText';

export const pre =
  (kind: string) =>
  (text: string): HTMLElement =>
    h('pre', { class: kind, dir: 'auto' }, text);

/** Draws a diff. The first character of each line is `+`, `-` or a space. */
export function drawRun(part: RunPart, location: TextLocation, context: PageContext): HTMLElement {
  const { strings } = context;
  const word =
    part.state === 'cancelled'
      ? strings.cancelled
      : part.exitCode === undefined || part.exitCode === 0
        ? undefined
        : formatMessage(strings.exitCode, part.exitCode);
  return h(
    'div',
    { class: `run ${part.state}` },
    longText(part.command, location, pre(`command ${part.language}`), strings.kinds.run, context),
    part.output ? longText(part.output, location, pre('output'), strings.result, context) : h('p', { class: 'muted' }, strings.noOutput),
    ...(word === undefined ? [] : [h('p', { class: 'error-note' }, icon('error'), h('span', {}, word))]),
    ...(part.fullOutputPath === undefined ? [] : [fullOutputNote(part.fullOutputPath, context)]),
  );
}

/** Shows the file with the full output, as a link if it exists. */
function fullOutputNote(path: string, context: PageContext): HTMLElement {
  const file = h('code', {}, path);
  context.pathLinks.linkWhenFile(file, path);
  const [before = '', after = ''] = context.strings.fullOutput.split('{0}');
  return h('p', { class: 'muted' }, before, file, after);
}
