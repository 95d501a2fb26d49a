/** The content of messages as parts: texts, images, and blocks of unknown types. */
import { imageAddress } from '../../core/format/entry/imageAddress';
import { isArray, isObject } from '../../core/format/entry/jsonValues';
import type { Steps } from '../../core/format/session/steps';
import { jsonText } from '../../core/format/text/jsonText';
import { unwrapUserText } from '../../core/format/text/userText';
import type { Part } from '../shared/protocol';
import { oneLine } from '../../core/format/text/oneLine';
import { MARKDOWN_LIMITS, OUTPUT_LIMITS, type PartCollector } from './partCollector';
import { MAX_BLOCKS, restParts } from './restPart';

export type TextParts = (text: string, parts: PartCollector) => Part[];

export const markdownParts: TextParts = (text, parts) =>
  /\S/.test(text) ? [{ kind: 'markdown', text: parts.addText(text, MARKDOWN_LIMITS) }] : [];
export const outputParts: TextParts = (text, parts) =>
  /\S/.test(text) ? [{ kind: 'output', text: parts.addText(text.trimEnd(), OUTPUT_LIMITS) }] : [];

/** Wrappers that a program put around the user's text are in folds. */
export const userTextParts: TextParts = (text, parts) => {
  const { from, to } = unwrapUserText(text);
  const wrapper = (around: string): Part[] =>
    /\S/.test(around) ? [{ kind: 'fold', content: 'wrapper', summary: oneLine(around, 200), parts: outputParts(around, parts) }] : [];
  return [...wrapper(text.slice(0, from)), ...markdownParts(text.slice(from, to), parts), ...wrapper(text.slice(to))];
};

/** Handles a string or content blocks, each in a step. Blocks of unknown types are shown as JSON, and very many in one fold. */
export function* contentParts(content: unknown, parts: PartCollector, text: TextParts): Steps<Part[]> {
  if (typeof content === 'string') return text(content, parts);
  if (!isArray(content)) return [];
  const shown: Part[] = [];
  for (const block of content.slice(0, MAX_BLOCKS)) {
    yield;
    if (isObject(block)) shown.push(...blockParts(block, parts, text));
  }
  return [...shown, ...(yield* restParts(content, parts))];
}

/** Handles a content block, as {@link contentParts} does. */
export function blockParts(block: Readonly<Record<string, unknown>>, parts: PartCollector, text: TextParts): Part[] {
  if (block['type'] === 'text') return text(stringOf(block['text']), parts);
  if (block['type'] === 'image')
    return [parts.addImage({ mimeType: stringOf(block['mimeType']), data: stringOf(block['data']) }, imageAddress(block))];
  return [{ kind: 'output', text: parts.addText(jsonText(block, 2), OUTPUT_LIMITS) }];
}

/** The files that a message of version 2 has in addition to its content: images, and documents with their text. */
export function* attachmentParts(attachments: unknown, parts: PartCollector): Steps<Part[]> {
  if (!isArray(attachments)) return [];
  const shown = attachments.slice(0, MAX_BLOCKS).flatMap((one): Part[] => {
    if (!isObject(one)) return [];
    const mimeType = stringOf(one['mimeType']);
    if (one['type'] === 'image') return [parts.addImage({ mimeType, data: stringOf(one['content']) })];
    const text = [stringOf(one['fileName']) || mimeType, stringOf(one['extractedText'])].filter((line) => line !== '').join('\n');
    return outputParts(text, parts);
  });
  return [...shown, ...(yield* restParts(attachments, parts))];
}

/** Returns a value of a session as text; '' for anything else than a string. */
export const stringOf = (value: unknown): string => (typeof value === 'string' ? value : '');
