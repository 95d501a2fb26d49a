/** The parts of an article. */
import { sanitizeText } from '../../../core/format/text/sanitizeText';
import type { TruncatedText, ImagePart, Part, RunPart, ToolPart } from '../../shared/protocol';
import { formatMessage, h } from '../ui/dom';
import { statusLabel, showOriginal } from './statusBadge';
import { entryMenuContext } from '../shell/entryMenu';
import { iconButton } from '../ui/iconButton';
import { icon } from '../ui/icons';
import { longText, type TextLocation } from './longText';
import { drawMarkdown } from './markdownView';
import type { PageContext } from '../shell/pageContext';

const ID_LENGTH = 40;

export function drawPart(part: Part, at: string, place: TextLocation, room: PageContext): HTMLElement {
  const { strings } = room;
  switch (part.kind) {
    case 'markdown':
      return drawMarkdown(part.text, place, room);
    case 'thinking':
      return drawFold({ key: `${place.key}/${at}`, isOpenByDefault: false, kind: 'thinking' }, [h('span', { class: 'fold-name' }, strings.thinking)], () => [drawMarkdown(part.text, place, room)], room);
    case 'output':
      return longText(part.text, place, pre('output'), strings.result, room);
    case 'error':
      return h('div', { class: 'error-note' }, icon('error'), h('span', { dir: 'auto', 'data-find': part.text.n }, part.text.text));
    case 'empty':
      return h('p', { class: 'muted' }, strings.emptyMessage);
    case 'image':
      return drawImage(part, place, room);
    case 'tool':
      return drawTool(part, at, place, room);
    case 'run':
      return drawRun(part, place, room);
  }
}

const pre = (kind: string) => (text: string): HTMLElement => h('pre', { class: kind, dir: 'auto' }, text);

/** A diff as the programs keep it: the first character of a line says whether it came or went. */
function diffLines(text: string): HTMLElement {
  const lines = text.split('\n').map((line) => {
    const kind = line.startsWith('+') ? 'added' : line.startsWith('-') ? 'removed' : 'context';
    return h('span', { class: `diff-line ${kind}` }, `${line}\n`);
  });
  return h('pre', { class: 'diff', dir: 'ltr' }, h('code', {}, ...lines));
}

interface FoldOptions {
  readonly key: string;
  readonly isOpenByDefault: boolean;
  readonly kind: string;
}

/** Its content is made when it is first opened. */
export function drawFold({ key, isOpenByDefault: begins, kind }: FoldOptions, head: readonly Node[], content: () => readonly Node[], room: PageContext): HTMLDetailsElement {
  const body = h('div', { class: 'fold-body' });
  const element = h('details', { class: `fold ${kind}`, 'data-fold': key }, h('summary', {}, ...head), body);
  const make = (): void => {
    if (body.childNodes.length === 0) body.append(...content());
  };
  element.open = room.folds.isOpen(key, begins);
  if (element.open) make();
  // At once, for those who look for something in it.
  element.addEventListener('unfold', (event) => {
    if (event.target !== element) return;
    element.open = true;
    make();
  });
  element.addEventListener('toggle', () => {
    if (element.open) make();
    room.folds.set(key, element.open, begins);
  });
  return element;
}

function drawTool(part: ToolPart, at: string, place: TextLocation, room: PageContext): HTMLElement {
  const { strings } = room;
  const state = { ok: strings.ok, error: strings.failed, waiting: strings.waiting }[part.state];
  const line = h('span', { class: 'tool-summary', dir: 'auto', 'data-find': `head ${at}` }, part.summary);
  const head = [
    h('span', { class: 'tool-name', 'data-find': `name ${at}` }, part.name),
    line,
    ...(part.contextStatus === undefined ? [] : [statusLabel(part.contextStatus, room)]),
    h('span', { class: `state ${part.state}`, title: state }, icon(part.state), h('span', { class: 'visually-hidden' }, state)),
  ];
  const entryId = part.entryId ?? place.entryId;
  const resultPlace = { ...place, entryId };
  const { args } = part;
  const called = (cut: TruncatedText): Node => longText(cut, place, pre('output'), strings.arguments, room);
  const name = (text: string): HTMLElement => h('div', { class: 'fold-name' }, text);
  // A diff says what the arguments say, and better.
  const content = (): Node[] => [
    ...(args && !part.diff ? [name(strings.arguments), called(args)] : []),
    ...(part.diff ? [longText(part.diff, resultPlace, diffLines, strings.result, room)] : []),
    ...(args && !part.diff && part.state !== 'waiting' ? [name(strings.result)] : []),
    ...part.result.map((result, index) => drawPart(result, `${at}.${index}`, resultPlace, room)),
    ...(part.result.length === 0 && !part.diff ? [h('p', { class: 'muted' }, part.state === 'waiting' ? strings.waiting : strings.noOutput)] : []),
    ...(args && part.diff ? [drawFold({ key: `${place.key}/${at}/args`, isOpenByDefault: false, kind: 'arguments' }, [h('span', { class: 'fold-name' }, strings.arguments)], () => [called(args)], room)] : []),
    ...(part.entryId === undefined ? [] : [entryLink(part.entryId, room)]),
  ];
  const box = drawFold({ key: `${place.key}/${at}`, isOpenByDefault: part.diff !== undefined, kind: `tool ${part.state}` }, head, content, room);
  if (part.entryId !== undefined) {
    box.dataset['entry'] = part.entryId;
    box.dataset['vscodeContext'] = entryMenuContext(part.entryId);
  }
  // What can be pressed stands beside the line that folds, and not in it.
  const original = part.contextStatus === 'edited' ? [iconButton(strings.original, 'edit', () => showOriginal(entryId, room))] : [];
  const whole = h('div', { class: 'tool-box' }, box, h('span', { class: 'tool-buttons' }, ...original));
  if (part.path !== undefined) room.pathLinks.linkWhenFile(line, part.path);
  return whole;
}

/** An entry by its id, which may be any text. */
export const entryName = (entryId: string, { strings }: PageContext): string => formatMessage(strings.entry, sanitizeText(entryId.slice(0, ID_LENGTH)));

export function entryLink(entryId: string, room: PageContext): HTMLElement {
  const open = (): void => room.send({ type: 'act', action: 'openRaw', entryId });
  return h('button', { class: 'entry-link', type: 'button', title: room.strings.openRaw, onclick: open }, entryName(entryId, room));
}

function drawRun(part: RunPart, place: TextLocation, room: PageContext): HTMLElement {
  const { strings } = room;
  const word = part.state === 'cancelled' ? strings.cancelled : part.exitCode === undefined || part.exitCode === 0 ? undefined : formatMessage(strings.exitCode, part.exitCode);
  return h(
    'div',
    { class: `run ${part.state}` },
    longText(part.command, place, pre(`command ${part.language}`), strings.kinds.run, room),
    part.output ? longText(part.output, place, pre('output'), strings.result, room) : h('p', { class: 'muted' }, strings.noOutput),
    ...(word === undefined ? [] : [h('p', { class: 'error-note' }, icon('error'), h('span', {}, word))]),
    ...(part.fullOutputPath === undefined ? [] : [fullOutputNote(part.fullOutputPath, room)]),
  );
}

/** Where the program kept all of an output, as a link if it still does. */
function fullOutputNote(path: string, room: PageContext): HTMLElement {
  const file = h('code', {}, path);
  room.pathLinks.linkWhenFile(file, path);
  const [before = '', after = ''] = room.strings.fullOutput.split('{0}');
  return h('p', { class: 'muted' }, before, file, after);
}

/** In place of an image that can't be shown. */
export const imageNote = (text: string): HTMLElement => h('p', { class: 'image-missing muted' }, text);

function drawImage(part: ImagePart, place: TextLocation, room: PageContext): HTMLElement {
  const { strings } = room;
  if (part.missing !== undefined) {
    const text = { gone: strings.imageGone, type: formatMessage(strings.imageType, part.mimeType), empty: strings.imageEmpty, damaged: strings.imageDamaged }[part.missing];
    return imageNote(text);
  }
  const image = h('img', { alt: strings.image, width: part.width, height: part.height, 'data-image': part.n });
  image.addEventListener('error', () => image.replaceWith(imageNote(strings.imageDamaged)));
  room.send({ type: 'wantImage', index: place.index, n: part.n });
  return h('div', { class: 'image' }, image);
}
