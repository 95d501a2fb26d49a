/**
 * The contents of Claude Code's lines without a message that the model got: attachments, such as a file, the output of a hook or a
 * list of skills, and commands that the program ran itself (FORMAT section 8). A line has the parts of such a text, not the words
 * that the program puts around them.
 */
import { asString, isArray, isObject, type JsonObject } from '../../values/jsonValues';
import { isProgramText, typedCommand } from './claudeTexts';

/** The fields that name the source of an attachment. The first one counts. */
const NAMES = ['filename', 'path', 'displayPath', 'planFilePath', 'uri'];

/** The fields that have text, at any depth. */
const TEXTS = new Set([
  'addedBlocks',
  'addedLines',
  'additionalContext',
  'banner',
  'blockingError',
  'content',
  'deltaSummary',
  'description',
  'message',
  'newDate',
  'planContent',
  'snippet',
  'systemMessage',
  'text',
]);

/** The fields that have text in a list of what there is now, if it has no lines. */
const LISTS = new Set(['addedNames', 'addedTypes', 'skillNames']);

const MAX_DEPTH = 8;

/** An entry that the model gets, and whether the person saw it, too. */
export interface GivenContent {
  readonly customType: string;
  readonly content: readonly JsonObject[];
  readonly display: boolean;
  readonly details?: JsonObject;
}

/** Returns the content that an attachment gave to the model; `undefined` if the line doesn't have it. */
export function attachedContent(attachment: JsonObject): GivenContent | undefined {
  const images = imagesIn(attachment['content']);
  const found = textsIn(attachment, TEXTS, 0);
  const texts = found.length > 0 ? found : textsIn(attachment, LISTS, 0);
  if (texts.length + images.length === 0) return undefined;
  const name = NAMES.map((key) => asString(attachment[key])).find((value) => value !== undefined);
  const text = [...(name === undefined ? [] : [name]), ...texts].join('\n');
  const details = { type: asString(attachment['type']) ?? '' };
  return { customType: 'claude-code.attachment', content: [{ type: 'text', text }, ...images], display: false, details };
}

/** Returns a command that the program ran itself, or its output; `undefined` for other lines. */
export function localCommand({ type, subtype, content }: JsonObject): GivenContent | undefined {
  const text = asString(content) ?? '';
  const shown = typedCommand(text) ?? (isProgramText(text) ? text : undefined);
  if (type !== 'system' || subtype !== 'local_command' || shown === undefined) return undefined;
  return { customType: 'claude-code.meta', content: [{ type: 'text', text: shown }], display: true };
}

function textsIn(value: JsonObject, keys: ReadonlySet<string>, depth: number): string[] {
  if (depth > MAX_DEPTH) return [];
  return Object.entries(value).flatMap(([key, part]) =>
    (isArray(part) ? part : [part]).flatMap((item) => {
      if (isObject(item)) return textsIn(item, keys, depth + 1);
      return keys.has(key) && typeof item === 'string' && item.trim() !== '' ? [item] : [];
    }),
  );
}

function imagesIn(content: unknown): JsonObject[] {
  const file = isObject(content) && content['type'] === 'image' && isObject(content['file']) ? content['file'] : {};
  const { base64, type } = file;
  return typeof base64 === 'string' && typeof type === 'string' ? [{ type: 'image', data: base64, mimeType: type }] : [];
}
