/** Draws the parts of an article. */
import { formatNumber } from '../../shared/formatNumbers';
import { t } from '../../shared/localization';
import { actionName, foldName } from '../shell/names';
import { openLightbox } from './lightbox';
import { isSubagentTool } from '../../../core/format/families/subagentCalls';
import { oneLine } from '../../../core/format/text/oneLine';
import type { TruncatedText, FoldPart, ImagePart, Part, ToolPart } from '../../shared/protocol';
import { h } from '../ui/dom';
import { statusLabel, showOriginal } from './statusBadge';
import { entryMenuContext } from '../shell/entryMenu';
import { iconButton } from '../ui/iconButton';
import { focusWhenScrollable } from '../ui/scrollFocus';
import { icon } from '../ui/icons';
import { longText, type TextLocation } from './longText';
import { drawMarkdown } from '../markdown/markdownView';
import { drawRun, pre } from './runPart';
import type { PageContext } from '../shell/pageContext';

const ID_LENGTH = 40;

/** The key of the state that all folds of hidden messages begin with. */
const HIDDEN_MESSAGES = 'hidden messages';

/** Returns whether hidden messages are unfolded. */
export const areHiddenShown = ({ folds }: PageContext): boolean => folds.isOpen(HIDDEN_MESSAGES, false);

/** Unfolds all hidden messages, or folds them. */
export function showHidden(show: boolean, { folds }: PageContext): void {
  folds.set(HIDDEN_MESSAGES, show, false);
  for (const fold of document.querySelectorAll<HTMLDetailsElement>('.fold.hidden-message')) fold.open = show;
}

export function drawPart(part: Part, at: string, location: TextLocation, context: PageContext): HTMLElement {
  switch (part.kind) {
    case 'markdown':
      return drawMarkdown(part.text, location, context);
    case 'thinking':
      return drawFold(
        { key: `${location.key}/${at}`, isOpenByDefault: false, kind: 'thinking' },
        [h('span', { class: 'fold-name' }, t('Thinking'))],
        () => [drawMarkdown(part.text, location, context)],
        context,
      );
    case 'output':
      return longText(part.text, location, pre('output'), t('Result'), context);
    case 'error':
      return h(
        'div',
        { class: 'error-note' },
        icon('error'),
        longText(part.text, location, errorText, t({ message: 'failed', comment: 'State of a tool call' }), context),
      );
    case 'empty':
      return h('p', { class: 'muted' }, t('Empty message'));
    case 'fold':
      return drawPromptFold(part, at, location, context);
    case 'image':
      return drawImage(part, location, context);
    case 'tool':
      return drawTool(part, at, location, context);
    case 'run':
      return drawRun(part, location, context);
  }
}

const errorText = (text: string): Node => h('div', { class: 'error-text', dir: 'auto' }, text);

function diffLines(text: string): HTMLElement {
  const lines = text.split('\n').map((line) => {
    const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'context';
    return h('span', { class: `diff-line ${kind}` }, `${line}\n`);
  });
  return focusWhenScrollable(h('pre', { class: 'diff', dir: 'ltr' }, h('code', {}, ...lines)));
}

interface FoldOptions {
  readonly key: string;
  readonly isOpenByDefault: boolean;
  readonly kind: string;
}

/** Draws a fold. Its content is built when it is first opened. */
export function drawFold(
  { key, isOpenByDefault, kind }: FoldOptions,
  summary: readonly Node[],
  content: () => readonly Node[],
  context: PageContext,
): HTMLDetailsElement {
  const body = h('div', { class: 'fold-body' });
  const element = h('details', { class: `fold ${kind}`, 'data-fold': key }, h('summary', {}, ...summary), body);
  const fillBody = (): void => {
    if (body.childNodes.length === 0) body.append(...content());
  };
  element.open = context.folds.isOpen(key, isOpenByDefault);
  if (element.open) fillBody();
  // Opens the fold synchronously, for the find widget.
  element.addEventListener('unfold', (event) => {
    if (event.target !== element) return;
    element.open = true;
    fillBody();
  });
  element.addEventListener('toggle', () => {
    if (element.open) fillBody();
    context.folds.set(key, element.open, isOpenByDefault);
  });
  return element;
}

/**
 * Draws a part of a system prompt, tools, a hidden message, the wrapper around a user's text, or a recorded error: a
 * fold, or one line if there is nothing in it.
 */
function drawPromptFold(part: FoldPart, at: string, location: TextLocation, context: PageContext): HTMLElement {
  const { name, summary, count, characters, change, parts, content } = part;
  const title = foldName(content);
  const size =
    characters !== undefined ? t('{0} characters', formatNumber(characters)) : count === undefined ? undefined : formatNumber(count);
  const line = [
    name === undefined
      ? h('span', { class: content === 'error' ? 'fold-name' : 'tool-name' }, title)
      : h('span', { class: 'tool-name', dir: 'auto', title, 'data-find': `name ${at}` }, name),
    ...(change === undefined
      ? []
      : [h('span', { class: `prompt-change ${change}` }, { updated: t('updated'), added: t('added'), removed: t('removed') }[change])]),
    ...(size === undefined ? [] : [h('span', { class: 'fold-name' }, size)]),
    h('span', { class: 'tool-summary', dir: 'auto', 'data-find': `head ${at}` }, summary),
  ];
  if (parts.length === 0) return h('div', { class: 'prompt-line' }, ...line);
  return drawFold(
    {
      key: `${location.key}/${at}`,
      isOpenByDefault: content === 'hidden' && areHiddenShown(context),
      kind: content === 'hidden' ? 'prompt hidden-message' : 'prompt',
    },
    line,
    () => parts.map((inner, index) => drawPart(inner, `${at}.${index}`, location, context)),
    context,
  );
}

function drawTool(part: ToolPart, at: string, location: TextLocation, context: PageContext): HTMLElement {
  const state = {
    ok: t({ message: 'done', comment: 'State of a tool call' }),
    error: t({ message: 'failed', comment: 'State of a tool call' }),
    waiting: t('no result'),
    unfinished: t('not finished'),
  }[part.state];
  const line = h('span', { class: 'tool-summary', dir: 'auto', 'data-find': `head ${at}` }, part.summary);
  const summary = [
    h('span', { class: 'tool-name', 'data-find': `name ${at}` }, part.name),
    line,
    ...(part.duration === undefined ? [] : [h('span', { class: 'fold-name' }, part.duration)]),
    ...(part.contextStatus === undefined ? [] : [statusLabel(part.contextStatus)]),
    h(
      'span',
      { class: `state ${part.state}`, title: state },
      icon(part.state === 'unfinished' ? 'warning' : part.state),
      h('span', { class: 'visually-hidden' }, state),
    ),
  ];
  const entryId = part.entryId ?? location.entryId;
  const resultLocation = { ...location, entryId };
  const { args } = part;
  const called = (text: TruncatedText): Node => longText(text, location, pre('output'), t('Arguments'), context);
  const name = (text: string, kind = ''): HTMLElement => h('div', { class: `fold-name ${kind}`.trim() }, text);
  // A diff shows what the arguments contain, in a more readable form.
  const content = (): Node[] => [
    ...(args && !part.diff ? [name(t('Arguments')), called(args)] : []),
    ...(part.diff ? [longText(part.diff, resultLocation, diffLines, t('Result'), context)] : []),
    ...(args && !part.diff && part.state !== 'waiting' ? [name(t('Result'), 'result-name')] : []),
    ...(part.sessions === undefined ? [] : [h('p', { class: 'muted' }, t('Sessions of subagents: {0}', part.sessions))]),
    ...(part.lacksCalls ? [h('p', { class: 'muted' }, t('Some of this tool’s calls weren’t recorded.'))] : []),
    ...part.result.map((result, index) => drawPart(result, `${at}.${index}`, resultLocation, context)),
    ...(part.result.length === 0 && !part.diff
      ? [
          h(
            'p',
            { class: 'muted' },
            part.state === 'unfinished'
              ? t('The calling tool ended before this call did')
              : part.isNested
                ? t('The result went to the calling tool and isn’t recorded')
                : part.state === 'waiting'
                  ? t('no result')
                  : t('No output'),
          ),
        ]
      : []),
    ...(args && part.diff
      ? [
          drawFold(
            { key: `${location.key}/${at}/args`, isOpenByDefault: false, kind: 'arguments' },
            [h('span', { class: 'fold-name' }, t('Arguments'))],
            () => [called(args)],
            context,
          ),
        ]
      : []),
    ...(part.entryId === undefined ? [] : [entryLink(part.entryId, context)]),
  ];
  const box = drawFold(
    { key: `${location.key}/${at}`, isOpenByDefault: part.diff !== undefined, kind: `tool ${part.state}` },
    summary,
    content,
    context,
  );
  if (part.entryId !== undefined) {
    box.dataset['entry'] = part.entryId;
    box.dataset['vscodeContext'] = entryMenuContext(part.entryId);
  }
  // Buttons are placed next to the summary, because a control can't contain others.
  const original =
    part.contextStatus === 'edited' ? [iconButton(t('Show Original in Transcript'), 'edit', () => showOriginal(entryId, context))] : [];
  const child =
    isSubagentTool(part.name) && context.actions.has('goToSubagent')
      ? [iconButton(actionName('goToSubagent'), 'model', () => context.send({ type: 'runAction', action: 'goToSubagent', entryId }))]
      : [];
  const whole = h('div', { class: 'tool-box' }, box, h('span', { class: 'tool-buttons' }, ...original, ...child));
  if (part.path !== undefined) context.pathLinks.linkWhenFile(line, part.path);
  return whole;
}

/** Returns the displayed name of an entry. Its id can be any text. */
export const entryName = (entryId: string): string => t('Entry {0}', oneLine(entryId, ID_LENGTH));

export function entryLink(entryId: string, context: PageContext): HTMLElement {
  const action = context.actions.has('openRaw') ? 'openRaw' : 'copyLink';
  const run = (): void => context.send({ type: 'runAction', action, entryId });
  return h('button', { class: 'entry-link', type: 'button', title: actionName(action), onclick: run }, entryName(entryId));
}

/** Replaces an image that can't be shown. */
export const imageNote = (text: string): HTMLElement => h('p', { class: 'image-missing muted' }, text);

function drawImage(part: ImagePart, location: TextLocation, context: PageContext): HTMLElement {
  if (part.missing !== undefined) {
    const text = {
      gone: context.imageGone,
      type: t('Can’t show images of type {0}.', part.mimeType),
      empty: t('This image has no data.'),
      damaged: t('Can’t show this image because its data is damaged.'),
      address: t('Image at an address that isn’t opened: {0}', part.address ?? ''),
    }[part.missing];
    return imageNote(text);
  }
  const { width, height } = part;
  const alt = width === undefined || height === undefined ? t('Image') : t('Image, {0} × {1} pixels', width, height);
  const image = h('img', { alt, width, height, 'data-image': part.nth });
  const enlarge = (): void => {
    if (image.complete && image.naturalWidth > 0) openLightbox(image);
  };
  const button = h('button', { class: 'image-button', type: 'button', title: t('Enlarge'), onclick: enlarge }, image);
  const box = h('div', { class: 'image' }, button);
  image.addEventListener('error', () => box.replaceWith(imageNote(t('Can’t show this image because its data is damaged.'))));
  context.send({ type: 'wantImage', index: location.index, nth: part.nth });
  return box;
}
