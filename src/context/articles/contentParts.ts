/** The content of messages as parts: texts, images, and blocks of unknown types. */
import { imageAddress } from '../../core/format/entry/imageAddress';
import { isArray, isObject } from '../../core/format/values/jsonValues';
import type { Steps } from '../../core/format/session/steps';
import { jsonSteps } from '../../core/format/text/jsonText';
import { unwrapUserText } from '../../core/format/text/wrappers/userText';
import type { Part } from '../shared/protocol';
import { oneLine } from '../../core/format/text/oneLine';
import { MARKDOWN_LIMITS, OUTPUT_LIMITS, type PartCollector } from './partCollector';
import { MAX_BLOCKS, restParts } from './restPart';

type TextParts = (text: string, parts: PartCollector) => Steps<Part[]>;

export const markdownParts: TextParts = function* (text, parts) {
  return /\S/.test(text) ? [{ kind: 'markdown', text: yield* parts.addTextSteps(text, MARKDOWN_LIMITS) }] : [];
};
export const outputParts: TextParts = function* (text, parts) {
  return /\S/.test(text) ? [{ kind: 'output', text: yield* parts.addTextSteps(text.trimEnd(), OUTPUT_LIMITS) }] : [];
};

/** Wrappers that a program put around the user's text are in folds. */
export const userTextParts: TextParts = function* (text, parts) {
  const { from, to } = unwrapUserText(text);
  const before = yield* wrapperParts(text.slice(0, from), parts);
  const words = yield* markdownParts(text.slice(from, to), parts);
  return [...before, ...words, ...(yield* wrapperParts(text.slice(to), parts))];
};

function* wrapperParts(around: string, parts: PartCollector): Steps<Part[]> {
  if (!/\S/.test(around)) return [];
  return [{ kind: 'fold', content: 'wrapper', summary: oneLine(around, 200), parts: yield* outputParts(around, parts) }];
}

/** Handles a string or content blocks, each in a step. Blocks of unknown types are shown as JSON, and very many in one fold. */
export function* contentParts(content: unknown, parts: PartCollector, text: TextParts): Steps<Part[]> {
  if (typeof content === 'string') return yield* text(content, parts);
  if (!isArray(content)) return [];
  const shown: Part[] = [];
  for (const block of content.slice(0, MAX_BLOCKS)) {
    yield;
    if (isObject(block)) shown.push(...(yield* blockParts(block, parts, text)));
  }
  return [...shown, ...(yield* restParts(content, parts))];
}

/** Handles a content block, as {@link contentParts} does. */
export function* blockParts(block: Readonly<Record<string, unknown>>, parts: PartCollector, text: TextParts): Steps<Part[]> {
  if (block['type'] === 'text') return yield* text(stringOf(block['text']), parts);
  if (block['type'] === 'image')
    return [parts.addImage({ mimeType: stringOf(block['mimeType']), data: stringOf(block['data']) }, imageAddress(block))];
  return [{ kind: 'output', text: yield* parts.addTextSteps(yield* jsonSteps(block, 2), OUTPUT_LIMITS) }];
}

/** The files that a message of version 2 has in addition to its content: images, and documents with their text. */
export function* attachmentParts(attachments: unknown, parts: PartCollector): Steps<Part[]> {
  if (!isArray(attachments)) return [];
  const shown: Part[] = [];
  for (const one of attachments.slice(0, MAX_BLOCKS)) if (isObject(one)) shown.push(...(yield* attachment(one, parts)));
  return [...shown, ...(yield* restParts(attachments, parts))];
}

function* attachment(one: Readonly<Record<string, unknown>>, parts: PartCollector): Steps<Part[]> {
  const mimeType = stringOf(one['mimeType']);
  if (one['type'] === 'image') return [parts.addImage({ mimeType, data: stringOf(one['content']) })];
  const text = [stringOf(one['fileName']) || mimeType, stringOf(one['extractedText'])].filter((line) => line !== '').join('\n');
  return yield* outputParts(text, parts);
}

/** Returns a value of a session as text; '' for anything else than a string. */
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');
