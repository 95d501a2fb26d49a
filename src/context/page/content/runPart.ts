/** Draws a command that the user ran, with its output. */
import { t } from '../../shared/localization';
import type { RunPart } from '../../shared/protocol';
import type { PageContext } from '../shell/pageContext';
import { h } from '../ui/dom';
import { icon } from '../ui/icons';
import { longText, type TextLocation } from './longText';

export const pre =
  (kind: string) =>
  (text: string): HTMLElement =>
    h('pre', { class: kind, dir: 'auto' }, text);

/** Draws a diff. The first character of each line is `+`, `-` or a space. */
export function drawRun(part: RunPart, location: TextLocation, context: PageContext): HTMLElement {
  const word =
    part.state === 'cancelled'
      ? t('canceled')
      : part.exitCode === undefined || part.exitCode === 0
        ? undefined
        : t('exit code {0}', part.exitCode);
  return h(
    'div',
    { class: `run ${part.state}` },
    longText(part.command, location, pre(`command ${part.language}`), t('Command'), context),
    part.output ? longText(part.output, location, pre('output'), t('Result'), context) : h('p', { class: 'muted' }, t('No output')),
    ...(word === undefined ? [] : [h('p', { class: 'error-note' }, icon('error'), h('span', {}, word))]),
    ...(part.fullOutputPath === undefined ? [] : [fullOutputNote(part.fullOutputPath, context)]),
  );
}

/** Shows the file with the full output, as a link if it exists. */
function fullOutputNote(path: string, context: PageContext): HTMLElement {
  const file = h('code', {}, path);
  context.pathLinks.linkWhenFile(file, path);
  const [before = '', after = ''] = t('The output was truncated. All of it is in {0}').split('{0}');
  return h('p', { class: 'muted' }, before, file, after);
}
