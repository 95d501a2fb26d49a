/** Every exported function that receives text of a session and runs without an editor or a page, as a function of that text. */
import { occurrences, parseQuery, snippetOf } from '../../../src/core/catalog/query';
import { hasPart, withSlashes } from '../../../src/core/catalog/samePath';
import { callsOfLine, textOfLine, toolsOfLine } from '../../../src/core/catalog/texts';
import { fold, spacedWords, wordsFrom, wordsOf } from '../../../src/core/catalog/words';
import { entryOf } from '../../../src/core/format/body';
import { oneLine as lineOfChange } from '../../../src/core/format/change';
import { describeEntry, describeMessage, describeToolCall } from '../../../src/core/format/describe';
import { textOf } from '../../../src/core/format/entry';
import { ending, excerpt } from '../../../src/core/format/excerpt';
import { filePlace, looksLikeFile } from '../../../src/core/format/filePlace';
import { findPattern } from '../../../src/core/format/find';
import { jsonText } from '../../../src/core/format/json';
import { proseText } from '../../../src/core/format/markdownProse';
import { cutMiddle, fenced, inlineCode, inlineText, quoted } from '../../../src/core/format/markdownText';
import { folderName, isSlotLine, sessionFileName, slotLine } from '../../../src/core/format/names';
import { parseSessionEntries } from '../../../src/core/format/parse';
import { plain, withoutEscapes, withVisibleBidi } from '../../../src/core/format/plain';
import { fill } from '../../../src/core/format/problem';
import { readLine } from '../../../src/core/format/readLine';
import { touchesOfLine } from '../../../src/core/format/touches';
import { marked, withoutMarkup } from '../../../src/commands/searchSnippet';
import { callHead } from '../../../src/context/callHead';
import { editDiff } from '../../../src/context/editDiff';
import { blobHash, dataUri, firstBytes, imageSize } from '../../../src/context/image';
import { isSafeLink, markdown } from '../../../src/context/markdown';
import { highlight } from '../../../src/context/page/highlight';
import { cut, oneLine, piece } from '../../../src/context/text';
import { escaped } from '../../../src/tree/escape';


const call = (text: string): object => ({ type: 'toolCall', id: 'c', name: text, arguments: { path: text, [text]: text } });
const line = (text: string): { readonly [key: string]: unknown } => ({ type: 'message', id: 'a', message: { role: 'assistant', content: [{ type: 'text', text }, call(text)] } });
const { html, pieces } = markdown();
const query = parseQuery('"x a" b*')!;
const finds = [{ text: 'a b' }, { text: ' x' }, { text: 'xa', wholeWord: true }].map((find) => ({ matchCase: false, wholeWord: false, ...find }));
const matches = (text: string): unknown => finds.map((find) => [...text.matchAll(findPattern(find)!)].length);

/** Functions of which a text takes at most a few nanoseconds a character. */
export const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  plain,
  withoutEscapes,
  withVisibleBidi,
  escaped,
  inlineText,
  inlineCode,
  fenced,
  quoted,
  proseText,
  cutMiddle: (text) => cutMiddle(text, 100, String),
  describeMessage: (text) => ['user', 'assistant', 'bashExecution', text].map((role) => describeMessage({ role, content: text, command: text, errorMessage: text }, undefined)),
  describeEntry: (text) => ['custom_message', 'branch_summary', 'label', 'session_init', 'ttsr_injection', text].map((type) => describeEntry({ type, content: text, customType: text, summary: text, label: text, task: text, injectedRules: [text] })),
  describeToolCall: (text) => ['read', 'bash', 'grep', 'find', 'ls', text].map((name) => describeToolCall(name, { path: text, command: text, pattern: text }, '/home/me')),
  textOf: (text) => textOf([{ type: 'text', text }]),
  excerpt: (text) => [excerpt(text, 100), ending(text, 100)],
  jsonText,
  filePlace: (text) => [filePlace(text), filePlace(text.slice(0, 400))],
  looksLikeFile: (text) => [looksLikeFile(text), looksLikeFile(text.slice(0, 400))],
  matches,
  entryOf: (text) => entryOf(line(text), { id: 'a', parentId: null }),
  readLine: (text) => [readLine(text), readLine(JSON.stringify(line(text)))],
  parseSessionEntries: (text) => parseSessionEntries(`{"type":"session","id":"s","timestamp":"","cwd":""}\n${JSON.stringify(line(text))}\n`),
  fill: (text) => [fill('{a} {b}', { a: text }), fill(text, { a: 'b' })],
  'oneLine of a change': lineOfChange,
  names: (text) => [sessionFileName('pi', text, text), folderName(text, 'omp', { home: '/home/me', temp: '/tmp' }), isSlotLine(text)],
  slotLine: (text) => slotLine({ title: text, updatedAt: '' }),
  touchesOfLine: (text) => touchesOfLine(line(text)),
  textOfLine: (text) => [textOfLine(line(text)), toolsOfLine(line(text)), callsOfLine(line(text))],
  words: (text) => [fold(text), spacedWords(text), [...wordsOf(text)].length, [...wordsFrom(text, ['x', 'a'])].length],
  parseQuery,
  snippetOf: (text) => [snippetOf(text, query), snippetOf(`x a ${text}`, query), occurrences(query.all[0]!, [...wordsOf(text)])],
  samePath: (text) => [withSlashes(text), hasPart(text, 'x')],
  'a snippet': (text) => {
    const snippet = snippetOf(`x a ${text}`, query)!;
    return [withoutMarkup(snippet), marked(snippet, 'x a')];
  },
  callHead: (text) => ['read', 'grep', text].map((name) => callHead(name, { path: text, pattern: text, [text]: text })),
  editDiff: (text) => editDiff({ oldText: text, newText: `${text}x` }),
  oneLine: (text) => oneLine(text, 100),
  cut: (text) => [cut(text, { start: 100, end: 50 }), piece(text, 10, text.length, 100)],
  image: (text) => [blobHash(text), dataUri({ mimeType: 'image/png', data: text }), imageSize(firstBytes(text))],
  isSafeLink,
  markdown: html,
  'markdown in pieces': (text) => [...pieces(text, 2000)].length,
  'markdown with nothing between its marks': (text) => html(text.replaceAll('a', '')),
  'markdown of many lines': (text) => html(text.replaceAll('a', 'a\n')),
  'markdown in a deep quote': (text) => html(`${'>'.repeat(200)} ${text}`),
  highlight: (text) => [...highlight(text, 'java')].length,
};
