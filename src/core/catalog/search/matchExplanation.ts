/** The snippet of a hit without search words: the matching tool call or label, else the beginning of the text. */
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { expandPath } from '../../files/locate/roots';
import { isObject, type JsonObject } from '../../format/values/jsonValues';
import { touchesOfLine } from '../../format/toolCalls/fileTouches';
import { beginning } from '../../format/text/characters';
import { unwrapUserText } from '../../format/text/wrappers/userText';
import type { LineContent } from './indexedLineReader';
import type { SearchFilter } from './searchFilter';
import { parseQuery, snippetOf, type Snippet } from './query/searchQuery';
import { pathIncludes, foldPath } from '../../files/locate/paths/pathMatch';
import { callsOfLine, type CallText } from '../index/words/lineText';

/** The maximum length of a snippet. */
const MAX_EXPLANATION_LENGTH = 200;

/** @param cwd the folder that relative paths start from */
export function matchExplanation(
  { text, value }: LineContent,
  { tools, files, labels, roles }: SearchFilter,
  cwd: string,
): Snippet | undefined {
  if (value?.['type'] === 'label')
    return (labels ?? []).map((label) => labelSnippet(text, label)).find((found) => found !== undefined) ?? startSnippet(text);
  const calls = value ? callsOfLine(value) : [];
  const base = expandPath(cwd || '.', homedir());
  const isWanted = (path: string): boolean =>
    (files ?? []).some((part) => pathIncludes(resolve(base, expandPath(path, homedir(), base)), part));
  const touches = (call: CallText): boolean => files === undefined || (call.file !== undefined && isWanted(call.file));
  const call = calls.find((one) => (tools === undefined || tools.includes(one.name)) && touches(one));
  const showsCall =
    tools !== undefined || files !== undefined || text === '' || (roles?.includes('toolCall') === true && !roles.includes('assistant'));
  if (call && showsCall) return callSnippet(call, files ?? []);
  const mentioned = value && text === '' ? touchesOfLine(value).map(({ file }) => file) : [];
  return startSnippet(mentioned.length > 0 ? mentioned.join(' ') : isUserMessage(value) ? unwrapUserText(text).text : text);
}

const isUserMessage = (line: JsonObject | undefined): boolean => isObject(line?.['message']) && line['message']['role'] === 'user';

function labelSnippet(text: string, label: string): Snippet | undefined {
  // Bounded, because each word of the label is compared with each word of the text.
  const query = parseQuery(label.slice(0, MAX_EXPLANATION_LENGTH));
  return query && snippetOf(beginning(text, MAX_EXPLANATION_LENGTH * 4), query);
}

function callSnippet({ name, text }: CallText, parts: readonly string[]): Snippet {
  const found = startSnippet(`${name} ${text}`);
  const marks: [number, number][] = [[0, Math.min(name.length, MAX_EXPLANATION_LENGTH)]];
  const lower = foldPath(found.snippet);
  // If lower-casing changes the length, the positions would be wrong.
  const mark =
    lower.length === found.snippet.length
      ? parts
          .map((part) => [lower.indexOf(foldPath(part), name.length), foldPath(part).length] as const)
          .find(([at, length]) => at >= 0 && length > 0)
      : undefined;
  if (mark) marks.push([mark[0], mark[0] + mark[1]]);
  return { ...found, marks };
}

function startSnippet(text: string): Snippet {
  const line = beginning(text, MAX_EXPLANATION_LENGTH * 4)
    .replace(/\s+/g, ' ')
    .trim();
  const isWhole = line.length <= MAX_EXPLANATION_LENGTH && text.length <= MAX_EXPLANATION_LENGTH * 4;
  return {
    snippet: isWhole ? line : `${beginning(line, MAX_EXPLANATION_LENGTH).trimEnd()}…`,
    marks: [],
  };
}
