/** Every exported function that takes session text and runs without the editor or a page, as a function of that text. */
import { RepeatedWords } from '../../../src/core/catalog/index/words/repeatedWords';
import { isLookup } from '../../../src/core/catalog/search/lookups';
import { excludesOnly, isFoundIn, parseQuery, snippetOf, truncationOf } from '../../../src/core/catalog/search/query/searchQuery';
import { pathIncludes, foldPath } from '../../../src/core/files/locate/paths/pathMatch';
import { callsOfLine, textOfLine, toolsOfLine } from '../../../src/core/catalog/index/words/lineText';
import { fold, spacedWords, wordsFrom, wordsOf } from '../../../src/core/catalog/index/words/words';
import { parseEntry } from '../../../src/core/format/entry/parseEntry';
import { isoTime } from '../../../src/core/format/import/converter';
import { isProgramText, typedCommand } from '../../../src/core/format/import/claude/claudeTexts';
import { callsOfSource } from '../../../src/core/format/import/codex/codeMode';
import { isContextText, isLikeContext, promptKey } from '../../../src/core/format/import/codex/codexTexts';
import { createForeignConverter } from '../../../src/core/format/import/foreignConverter';
import { foreignProgramOf, type ForeignProgram } from '../../../src/core/format/import/foreignFormat';
import { OmissionList } from '../../../src/core/format/import/omissions';
import { embedLine, extractLine } from '../../../src/core/format/export/htmlData';
import { withoutLineBreaks } from '../../../src/core/format/write/change';
import { describeEntry, describeMessage, describeToolCall } from '../../../src/core/format/entry/rowText';
import { argumentWords, displayPath } from '../../../src/core/format/toolCalls/callWords';
import { textOf } from '../../../src/core/format/entry/message';
import { beginning, boundaryAfter, boundaryBefore, ending } from '../../../src/core/format/text/characters';
import { imageAddress } from '../../../src/core/format/entry/imageAddress';
import { headerOfName } from '../../../src/core/format/import/headerOfName';
import { excerpt } from '../../../src/core/format/text/excerpt';
import { parseFileLocation, looksLikeFilePath } from '../../../src/core/format/text/fileLocation';
import { findPattern } from '../../../src/core/format/text/findPattern';
import { jsonText } from '../../../src/core/format/text/jsonText';
import { normalizeMarkdown } from '../../../src/core/format/text/markdown/markdownProse';
import {
  truncateMiddle,
  codeBlock,
  wholeInlineCode,
  wholeInlineText,
  blockQuote,
} from '../../../src/core/format/text/markdown/markdownText';
import { projectFolderName, isTitleSlotLine, sessionFileName, titleSlotLine } from '../../../src/core/format/write/sessionNames';
import { finishSteps } from '../../../src/core/format/session/steps';
import { parseSessionEntries } from '../../../src/core/format/session/read/parseSessionEntries';
import { sanitizeText, stripTerminalEscapes, withVisibleBidi } from '../../../src/core/format/text/sanitizeText';
import { unwrapUserText } from '../../../src/core/format/text/wrappers/userText';
import { withoutIcon } from '../../../src/core/format/text/withoutIcon';
import { sessionTitle } from '../../../src/core/format/session/sessionTitle';
import { formatMessage } from '../../../src/core/format/entry/problem';
import { readLine } from '../../../src/core/format/parse/readLine';
import { touchesOfLine } from '../../../src/core/format/toolCalls/fileTouches';
import { cellCalls } from '../../../src/core/format/toolCalls/cellCalls';
import { filesOfPatch } from '../../../src/core/format/toolCalls/patchedFiles';
import { editsOfCall, readingOfCall } from '../../../src/core/format/lineOrigins/record/callEdits';
import { shownTextOfCall } from '../../../src/core/format/lineOrigins/record/shownText';
import { applyEdit } from '../../../src/core/format/lineOrigins/versions/applyEdit';
import { changedParts } from '../../../src/core/format/lineOrigins/versions/changedParts';
import { VersionFinder } from '../../../src/core/format/lineOrigins/versions/versionFinder';
import { wholeText } from '../../../src/core/format/lineOrigins/versions/wholeText';
import { claimLines } from '../../../src/core/format/lineOrigins/claimLines';
import type { FileEdit, HunkLine } from '../../../src/core/format/lineOrigins/record/fileEdit';
import { LineTexts, linesOf } from '../../../src/core/format/lineOrigins/lineTexts';
import { mergeTexts } from '../../../src/core/format/restore/threeWay';
import { mergedForm, withForm } from '../../../src/core/format/restore/textForm';
import { isEncodable } from '../../../src/core/format/restore/planChecks';
import { finishWork } from '../../../src/core/format/lineOrigins/work';
import { Replay, type FileEvent } from '../../../src/core/format/lineOrigins/replay/replay';
import { secretName } from '../../../src/core/format/redact/detectors/context/secretNames';
import { findInContext } from '../../../src/core/format/redact/detectors/context/contextRules';
import { isExample } from '../../../src/core/format/redact/detectors/exampleSecrets';
import { idsInAddresses } from '../../../src/core/format/redact/detectors/addressIds';
import { hasManySigns, isMadeOfWords, isPhrase, isSecretValue } from '../../../src/core/format/redact/detectors/secretValues';
import { base64Parts, textOfBase64, withoutEscapes } from '../../../src/core/format/redact/detectors/encodedTexts';
import { findInOtherForms } from '../../../src/core/format/redact/everyForm';
import { pictures } from '../../../src/core/format/redact/imageFields';
import { seenText, withoutMarks } from '../../../src/core/format/redact/seenText';
import { jsonStrings, locationOf, withStrings } from '../../../src/core/format/redact/jsonStrings';
import { KnownValues } from '../../../src/core/format/redact/detectors/knownValues';
import { scanLine } from '../../../src/core/format/redact/scannedLine';
import { findLongRandom } from '../../../src/core/format/redact/detectors/tokens/longRandom';
import { withoutImageMetadata } from '../../../src/core/format/redact/imageMetadata';
import { ownWords } from '../../../src/core/format/redact/detectors/ownWords';
import { homeOfPath, personalData } from '../../../src/core/format/redact/detectors/personalData';
import { findPrivateKeys } from '../../../src/core/format/redact/detectors/tokens/privateKeys';
import { mergeSpans, type Detector, type Span } from '../../../src/core/format/redact/detectors/span';
import { findTokens } from '../../../src/core/format/redact/detectors/tokens/tokenRules';
import {
  isOnlyExcluding,
  parseSearchQuery,
  prefixBeingTyped,
  prefixValues,
  searchTruncation,
} from '../../../src/core/catalog/search/query/queryPrefixes';
import { bracketMarks, stripMarkup } from '../../../src/commands/search/searchSnippet';
import { summarizeToolCall } from '../../../src/context/articles/toolCallSummary';
import { editDiff } from '../../../src/context/articles/editDiff';
import { blobHash, dataUri, firstBytes, imageSize } from '../../../src/context/articles/imageFormat';
import { isSafeLink, createMarkdownRenderer } from '../../../src/context/shared/markdownRenderer';
import { highlightCode } from '../../../src/context/page/content/highlightCode';
import { truncate, sliceAtLine } from '../../../src/context/articles/truncateText';
import { oneLine } from '../../../src/core/format/text/oneLine';
import { providerErrorText } from '../../../src/core/format/entry/providerError';
import { withoutMarkdown } from '../../../src/core/format/text/plainText';
import { escapeMarkdown } from '../../../src/tree/items/escapeMarkdown';
import { entryRowText, shortenPath } from '../../../src/tree/items/entryText';

/** Converts lines of another program in which every text is the given one. */
function convertedLine(program: ForeignProgram, text: string): unknown {
  let ids = 0;
  const omissions = new OmissionList();
  const converter = createForeignConverter(program, { id: () => String(++ids), now: () => new Date(0) }, omissions);
  const content = [
    { type: text, text },
    { type: 'tool_result', tool_use_id: text, content: text },
    { type: 'input_text', text },
  ];
  const call = { type: 'function_call', name: text, arguments: text, call_id: text };
  const lines = [
    { type: 'user', uuid: text, timestamp: text, isCompactSummary: true, message: { content } },
    { type: 'response_item', payload: call },
    { type: 'response_item', payload: { type: 'reasoning', summary: content, encrypted_content: text } },
    { type: 'compacted', payload: { message: text, replacement_history: [{ type: 'message', role: 'user', content }] } },
  ];
  return [
    ...lines.flatMap((value, at) => converter.add(value, at + 1)),
    ...converter.end(),
    omissions.list(),
    foreignProgramOf({ type: text }),
  ];
}

const call = (text: string): object => ({ type: 'toolCall', id: 'c', name: text, arguments: { path: text, [text]: text } });
const line = (text: string): { readonly [key: string]: unknown } => ({
  type: 'message',
  id: 'a',
  message: { role: 'assistant', content: [{ type: 'text', text }, call(text)] },
});
const { toHtml: html, toHtmlPieces: pieces } = createMarkdownRenderer();
const query = parseQuery('"x a" b*')!;
const finds = [{ text: 'a b' }, { text: ' x' }, { text: ' x ', wholeWord: true }, { text: 'xa', wholeWord: true }].map((find) => ({
  matchCase: false,
  wholeWord: false,
  ...find,
}));
const matches = (text: string): unknown => finds.map((find) => [...text.matchAll(findPattern(find)!)].length);

/** Replays edits of a text, of which some have no place or many, and claims its lines. */
function replayed(text: string): unknown {
  const half = text.slice(0, text.length / 2);
  const lines = (sign: ' ' | '-' | '+', of: string): HunkLine[] => linesOf(of).map((one) => ({ sign, text: one }));
  const edit = (parts: Partial<FileEdit>): FileEvent => ({
    kind: 'edit',
    edit: { file: 'a', hunks: [], replacements: [], isCertain: true, ...parts },
  });
  const texts = new LineTexts();
  const replay = new Replay(texts);
  for (const event of [
    edit({ text }),
    edit({ replacements: [{ before: `${half}x`, after: 'x', all: false }] }),
    edit({ replacements: [{ before: half, after: `${half}\nx`, all: true }] }),
    edit({ hunks: [{ lines: [...lines(' ', half), ...lines('-', 'x'), ...lines('+', half)] }] }),
    edit({ hunks: [{ start: 3, lines: [...lines('-', half), ...lines('+', `x\n${half}`)] }] }),
    { kind: 'text', text: `${text}\n${half}`, isWhole: true },
    edit({ text: `x\n${half}` }),
  ] satisfies FileEvent[])
    finishWork(replay.adding(event));
  return claimLines(finishWork(replay.result()), texts.numbersOf(linesOf(text)), texts);
}

const BASES = { home: '/home/me', cwd: '/work' };

const WRAPPER_STARTS = [
  '',
  '[Telegram a',
  '[Slack #a 2026-05-05 09:41] ',
  '[message_id: a]\n',
  '[Thread history - for context]\n[Slack a (user) b] ',
  'Context:\n<active_memory_plugin>\n',
  'Sender: \u27e6openclaw:ctx\u27e7\n',
  '\nContext: \u27e6openclaw:ctx\u27e7\n',
  '\n[Replying to a]\n[/Replying]',
  'Read HEARTBEAT.md if it exists. Follow',
  '[media attached: /',
  '[Subagent Context] ',
  '/model ',
  '<system-reminder>\n<system-reminder>\n',
  '<system-reminder>\n<system-reminder>\n</system-reminder>',
  '<system-reminder>\n<system-reminder>\n</system-reminder></system-reminder>',
  'Conversation context (untrusted, a):\n#1',
  'OpenClaw runtime context (internal):\ntask: a\n',
  '[Queued messages while agent was busy]\n\n---\nQueued #1\n',
  'Sender (untrusted metadata):\n```json\n',
  '[Tue 2026-05-05 09:41 GMT+8] ',
  'System: [2026-05-05 09:41] ',
  'System: ',
  'A new session was started via /new or /reset. Run ',
  '[cron:0b5f6c1e-3f0e-4c43-9e2a-6f9d9c3b7a10 a',
  '<skill name="a" location="b">',
  '<file name="a">',
  '</file>',
  '<file name="a"></file>',
  '<system-reminder></system-reminder>',
];

const PERSON = { homes: ['/home/x', 'C:\\a'], users: ['aaa', 'root'], hosts: ['xaa'] };
const PERSONAL = personalData(PERSON, new Set(['home', 'user', 'host', 'email']));
const derived = (text: string): number =>
  [seenText(text), withoutMarks(text), withoutEscapes(text)]
    .map(finishSteps)
    .reduce((sum, one) => sum + (one ? one.endOf(one.text.length) : 0), 0);
const OWN = ownWords(['aaa*x', 'xax']);
const MANY_STARS = ownWords(['a*a*a*a*a*x', '*aaa*x*']);
const KNOWN = new KnownValues();
for (const value of ['aaaaaaaa1', 'aaaaaaaaaaaaaaaaaaaa1', 'xaxaxaxa1']) KNOWN.add(value);

const inOtherForms: Detector = (text, add) => finishSteps(findInOtherForms(text, [KNOWN.find], add));

/** Returns how much a detector finds in a text, with other texts in the place of its letters. */
/** Replaces each `a` in a text that keeps its length. Longer texts on the way would take memory, and that more time than a function. */
function replaced(text: string, by: string): string {
  let at = 0;
  for (let length = 0; length < text.length; length += by.length) {
    const next = text.indexOf('a', at);
    if (next < 0) break;
    length += next - at;
    at = next + 1;
  }
  return (text.slice(0, at).replaceAll('a', by) + text.slice(at)).slice(0, text.length);
}
const found = (detect: Detector, text: string, starts: readonly string[]): number => {
  const spans: Span[] = [];
  for (const start of starts) detect(replaced(text, start), (span) => spans.push(span));
  return mergeSpans(spans).length;
};
const scanned = (text: string): unknown => finishSteps(scanLine(text, { plain: [KNOWN.find], other: [KNOWN.find] })).leaves.length;
/** Functions that take at most a few nanoseconds per character, by the titles of their tests. */
export const FUNCTIONS: Readonly<Record<string, (text: string) => unknown>> = {
  sanitizeText,
  stripTerminalEscapes,
  withVisibleBidi,
  escapeMarkdown,
  wholeInlineText,
  wholeInlineCode,
  codeBlock,
  blockQuote,
  normalizeMarkdown: (text) => finishSteps(normalizeMarkdown(text)),
  truncateMiddle: (text) => truncateMiddle(text, 100, String),
  foreignConverters: (text) => [
    convertedLine('claude-code', text),
    convertedLine('codex', text),
    isContextText(text),
    isLikeContext(text),
    promptKey(text),
    isoTime(text),
  ],
  foreignTexts: (text) => [isProgramText(text), typedCommand(text), callsOfSource(text)],
  describeMessage: (text) =>
    ['user', 'assistant', 'bashExecution', text].map((role) =>
      describeMessage({ role, content: text, command: text, errorMessage: text }, undefined),
    ),
  describeEntry: (text) =>
    ['custom_message', 'branch_summary', 'label', 'session_init', 'ttsr_injection', text].map((type) =>
      describeEntry({ type, content: text, customType: text, summary: text, label: text, task: text, injectedRules: [text] }),
    ),
  describeToolCall: (text) =>
    ['read', 'bash', 'grep', 'find', 'ls', text].map((name) => describeToolCall(name, { path: text, command: text, pattern: text }, BASES)),
  argumentWords: (text) =>
    [{ command: text }, { command: `cd ${text}` }, { path: text }, { args: `{"a":${text}` }, { [text]: [text] }].map((args) =>
      argumentWords(args, { home: text, cwd: text }),
    ),
  shortenPath: (text) => shortenPath(text, 28),
  entryRowText: (text) =>
    ['user', 'assistant', 'toolResult'].map((role) => entryRowText({ type: 'message', role, text: `[grep: /${text}/ in ${text}]` })),
  displayPath: (text) => [displayPath(text, BASES), displayPath(`/work/${text}`, BASES)],
  textOf: (text) => textOf([{ type: 'text', text }]),
  excerpt: (text) => excerpt(text, 100),
  imageAddress: (text) => [imageAddress({ data: text }), imageAddress({ url: `a${text}` })],
  isLookup: (text) => isLookup('toolResult', { text: `active  /${text}`, value: undefined }),
  isEncodable: (text) => isEncodable(text),
  mergedForm: (text) => mergedForm({ base: text, theirs: `${text}\r\n`, mine: `\uFEFF${text}` }),
  mergeTexts: (text) => [
    finishSteps(mergeTexts({ base: text, theirs: `x\n${text}`, mine: `${text}\nx` })),
    finishSteps(mergeTexts({ base: text.slice(text.length / 2), theirs: text, mine: `${text}${text}` })),
  ],
  withForm: (text) => withForm(text, { breaks: 'crlf', hasMark: true }),
  headerOfName: (text) => [headerOfName(text, ''), headerOfName(`${text}.jsonl`, text)],
  beginning: (text) => [beginning(text, 100), beginning(text, text.length - 1)],
  ending: (text) => [ending(text, 100), ending(text, text.length - 1)],
  boundaryBefore: (text) => boundaryBefore(text, text.length >> 1),
  boundaryAfter: (text) => boundaryAfter(text, text.length >> 1),
  jsonText,
  unwrapUserText: (text) => WRAPPER_STARTS.map((start) => unwrapUserText(start + text)),
  'unwrapUserText of repeated wrappers': (text) => WRAPPER_STARTS.map((start) => unwrapUserText(replaced(text, `\n${start}`))),
  sessionTitle: (text) => [sessionTitle(text, {}), sessionTitle(undefined, { said: text, answer: text })],
  withoutIcon: (text) => [withoutIcon(text), withoutIcon(`\ue000${text}`)],
  parseFileLocation: (text) => [parseFileLocation(text), parseFileLocation(text.slice(0, 400))],
  looksLikeFilePath: (text) => [looksLikeFilePath(text), looksLikeFilePath(text.slice(0, 400))],
  findPattern: matches,
  parseEntry: (text) => parseEntry(line(text), { id: 'a', parentId: null }),
  readLine: (text) => [readLine(text), readLine(JSON.stringify(line(text)))],
  parseSessionEntries: (text) =>
    parseSessionEntries(`{"type":"session","id":"s","timestamp":"","cwd":""}\n${JSON.stringify(line(text))}\n`),
  formatMessage: (text) => [formatMessage('{a} {b}', { a: text }), formatMessage(text, { a: 'b' })],
  withoutLineBreaks,
  embedLine: (text) => [text, `"${text}`, JSON.stringify({ text: `${text}</script>` })].map((line) => extractLine(embedLine(line))),
  names: (text) => [
    sessionFileName('pi', text, text),
    projectFolderName(text, 'omp', { home: '/home/me', temp: '/tmp' }),
    isTitleSlotLine(text),
  ],
  titleSlotLine: (text) => titleSlotLine({ title: text, updatedAt: '' }),
  touchesOfLine: (text) => touchesOfLine(line(text)),
  filesOfPatch: (text) =>
    ['*** Begin Patch\n', '*** Edit File: a\n*** Find\n', '*** SM:EDIT ', '<SM:EDIT path="', '§a\n', '[a]\n«\n'].map((start) =>
      filesOfPatch(start + text),
    ),
  cellCalls: (text) => [cellCalls(text), cellCalls(`tool.write({ path: "${text}`), cellCalls(`write(\`${text}`)],
  editsOfCall: (text) =>
    [
      { path: 'a', content: text },
      { path: 'a', oldText: text, newText: text },
      { input: `*** Update File: a\n${text}` },
      { input: `[a#A1B2]\n${text}` },
      { input: `[a#A1B2]\nCUT ${text}\nPUT ${text}` },
      { input: `*** Edit File: a\n*** Find\n${text}\n*** Replace\n${text}` },
      { input: `*** SM:EDIT ${text}\n*** SM:FIND\n${text}` },
      { input: `<SM:EDIT path="a">${text}` },
      { input: `§a\n⟪${text}│${text}` },
      { path: 'a', edits: text },
    ].flatMap((given) =>
      ['write', 'edit'].map((name) =>
        editsOfCall({ name, arguments: given }, { details: { path: 'a', diff: text, patch: `@@\n${text}` } }),
      ),
    ),
  readingOfCall: (text) =>
    [text, `a\n${text}`, `a\n[${text}]`, `1:${text}`].map((content) =>
      readingOfCall({ name: 'read', arguments: { path: 'a' } }, { role: 'toolResult', content }),
    ),
  shownTextOfCall: (text) =>
    [text, `a\n[${text}]`, `[f#A1B2]\n1:${text}`, `(truncated ${text}`].flatMap((content) =>
      [true, false].map((recordsText) =>
        shownTextOfCall({ name: 'read', arguments: { path: 'a' } }, { role: 'toolResult', content }, recordsText),
      ),
    ),
  'a version of a file': version,
  'a replayed file': replayed,
  textOfLine: (text) => [textOfLine(line(text)), toolsOfLine(line(text)), callsOfLine(line(text))],
  words: (text) => [fold(text), spacedWords(text), [...wordsOf(text)].length, [...wordsFrom(text, ['x', 'a'])].length],
  parseQuery: (text) => [text, ` -${text}`].map((typed) => [parseQuery(typed), truncationOf(typed), excludesOnly(typed)]),
  parseSearchQuery: (text) =>
    ['', '-', 'label:', 'label:"', '-"'].map((start) => {
      const typed = replaced(text, ` ${start}a`);
      return [parseSearchQuery(typed), isOnlyExcluding(typed), searchTruncation(typed), prefixValues(typed), prefixBeingTyped(typed)];
    }),
  snippetOf: (text) => [snippetOf(text, query), snippetOf(`x a ${text}`, query), isFoundIn([...wordsOf(text)], query)],
  repeatedWords: (text) => new RepeatedWords().find(Buffer.from(text), 0, Buffer.byteLength(text)),
  findInContext: (text) => [
    found(findInContext, text, [
      'password="',
      '://a:',
      'curl -u ',
      'password ',
      '| password | ',
      '("password", ',
      '"password" a="" ',
      'echo a',
    ]),
    secretName(text),
  ],
  findInContextByDelimiters: (text) =>
    found(findInContext, text, [
      'password=\\"',
      'password="\\',
      'A=a;Password=',
      'DB_PASSWORD=a(',
      'password:1,a',
      '*:*:a:a:',
      'http -a ',
      'IDENTIFIED WITH a ',
    ]),
  findTokens: (text) =>
    found(findTokens, text, ['eyJ', 'sk-', 'fm2_', '1|', '+ASt', '8Q~', 'AQ.', 'IQoJb3JpZ2luX2', `${'a'.repeat(76)}AZDO`]),
  findPrivateKeys: (text) =>
    found(findPrivateKeys, text, [
      '-----BEGIN PRIVATE KEY-----',
      '-----END PRIVATE KEY-----',
      'Private-Lines: 1\n',
      '1:a|',
      `-----BEGIN PRIVATE KEY-----${'x'.repeat(30)}-----END CERTIFICATE-----`,
      // Marks that could be read in many ways.
      `-----BEGIN PRIVATE KEY-----${'1:1:'.repeat(20)}`,
      `${'Comment:'.repeat(40)}\n-----END PRIVATE KEY-----`,
    ]),
  findLongRandom: (text) => found(findLongRandom, text, ['aB3', 'aB3!', '/aB3', 'aB3=']),
  idsInAddresses: (text) => [
    [...idsInAddresses(text)],
    [...idsInAddresses(`://a/${text}`)],
    [...idsInAddresses(text.replaceAll('a', '://a/'))],
  ],
  secretValues: (text) => [
    isMadeOfWords(text),
    isPhrase(text),
    hasManySigns(text),
    isSecretValue('token', text, true),
    isSecretValue('password', text, false),
  ],
  base64Parts: (text) => ['', `${'a'.repeat(64)}\n`, 'a\n'].map((start) => [...base64Parts(start + text)].length),
  derivedTexts: (text) => ['\u001b[31m', 'a*', '%61'].map((start) => derived((start + text).repeat(2))),
  findInOtherForms: (text) => found(inOtherForms, text, ['%61', 'cGFzc3dvcmQ9', '\u001b[31m']),
  pictures: (text) =>
    finishSteps(
      pictures(
        finishSteps(
          jsonStrings(
            JSON.stringify({
              content: ['/9j/', 'iVBORw0KGgo', 'R0lGODlh', ''].map((data) => ({ type: 'image', mimeType: 'image/gif', data: data + text })),
            }),
          ),
        ),
      ),
    ).size,
  textOfBase64: (text) => textOfBase64(text.replaceAll(/[^A-Za-z0-9+/]/g, 'a'))?.length,
  personalData: (text) => [found(PERSONAL, text, ['/home/', 'a@a.']), homeOfPath(`/home/${text}`)],
  knownValues: (text) => found(KNOWN.find, text, ['aaaaaaaa']),
  isExample,
  ownWords: (text) => [found(OWN, text, ['xa']), found(MANY_STARS, text, ['xa'])],
  withoutImageMetadata: (text) =>
    ['/9j/', 'iVBORw0KGgo', 'UklGR', '/9j/4'].map(
      (start) => finishSteps(withoutImageMetadata(JSON.stringify({ a: start + text, b: start }))).length,
    ),
  jsonStrings: (text) =>
    [text, `"${text}`, JSON.stringify({ [text]: [text] }), '{"a":'.repeat(text.length / 5)].map((json) => {
      const strings = finishSteps(jsonStrings(json));
      const [last] = strings.slice(-1);
      return [
        finishSteps(withStrings(json, strings, new Map(strings.map((string) => [string, 'x'])))).length,
        last && locationOf(last, ({ value }) => value),
      ];
    }),
  scanLine: (text) => [JSON.stringify(line(text)), JSON.stringify({ a: JSON.stringify({ b: text }) }), text].map(scanned),
  pathIncludes: (text) => [foldPath(text), pathIncludes(text, 'x')],
  'a snippet': (text) => {
    const snippet = snippetOf(`x a ${text}`, query)!;
    return [stripMarkup(snippet), bracketMarks(snippet, 'x a')];
  },
  summarizeToolCall: (text) =>
    ['read', 'grep', text].map((name) => summarizeToolCall(name, { path: text, pattern: text, [text]: text }, BASES)),
  editDiff: (text) => editDiff({ oldText: text, newText: `${text}x` }),
  oneLine: (text) => oneLine(text, 100),
  providerErrorText: (text) => [text, `{"error":${text}`, `{"error":{"message":"${text}`].map(providerErrorText),
  withoutMarkdown,
  'prose with nothing between its marks': (text) => withoutMarkdown(text.replaceAll('a', '')),
  'prose of many paragraphs': (text) => withoutMarkdown(text.replaceAll('a', 'a\n\n')),
  cut: (text) => [truncate(text, { start: 100, end: 50 }), sliceAtLine(text, 10, text.length, 100)],
  image: (text) => [blobHash(text), dataUri({ mimeType: 'image/png', data: text }), imageSize(firstBytes(text))],
  isSafeLink,
  markdown: html,
  'markdown in pieces': (text) => [...pieces(text, 2000)].length,
  'markdown with nothing between its marks': (text) => html(text.replaceAll('a', '')),
  'markdown of links to files': (text) => html(text.replaceAll('a', ' [a](a/a) [')),
  'markdown of tasks': (text) => html(text.replace(/[^]{20}/g, '$&\n- [x] ')),
  'markdown of breaks in cells': (text) => html(`|a|\n|-|\n|${text.replaceAll('a', '<br>')}|`),
  'markdown of many lines': (text) => html(text.replaceAll('a', 'a\n')),
  'markdown in a deep quote': (text) => html(`${'>'.repeat(200)} ${text}`),
  highlight: (text) => [...highlightCode(text, 'java')].length,
};

function version(text: string): unknown {
  const half = text.slice(0, text.length / 2);
  const edits: FileEdit[] = [
    { file: 'a', hunks: [], replacements: [{ before: half, after: '', all: true }], isCertain: true },
    { file: 'a', hunks: [], replacements: [{ before: 'a', after: 'b', all: true }], isCertain: true },
    {
      file: 'a',
      hunks: [{ lines: linesOf(half).map((line): HunkLine => ({ sign: '-', text: line })) }],
      replacements: [],
      isCertain: true,
    },
  ];
  const finder = new VersionFinder(0, 'event', wholeText(text));
  finishSteps(finder.add({ kind: 'commit', text }));
  finishSteps(finder.add({ kind: 'reading', shown: { file: 'a', text: half, isWhole: false, from: 1, isEndRecorded: true } }));
  return [...edits.map((edit) => finishSteps(applyEdit(text, edit))), changedParts(edits), finder.result()];
}
