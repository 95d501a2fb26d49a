import assert from 'node:assert/strict';
import { buildArticle, type ArticleSource, type BuiltArticle } from '../../../src/context/articles/buildArticle';
import { PartCollector } from '../../../src/context/articles/partCollector';
import { promptChangeParts, promptParts } from '../../../src/context/articles/promptParts';
import type { Part } from '../../../src/context/shared/protocol';
import { markdownSection, markdownSectionParts } from '../../../src/core/format/context/markdown/markdownSection';
import { systemPromptSteps } from '../../../src/core/format/context/systemMessage';
import { promptMarkdown } from '../../../src/core/format/context/markdown/promptMarkdown';
import type { Entry } from '../../../src/core/format/entry/entry';
import { editsInOrder } from '../../../src/core/catalog/origins/events/fileEvents';
import type { SessionEdit } from '../../../src/core/catalog/origins/events/sessionEdits';
import { answerParts } from '../../../src/core/format/context/markdown/messageMarkdown';
import type { AssistantMessage, Message } from '../../../src/core/format/entry/message';
import { parseEntrySteps } from '../../../src/core/format/entry/parseEntry';
import { embedLineSteps } from '../../../src/core/format/export/htmlData';
import { formatMessage } from '../../../src/core/format/entry/problem';
import { withoutSignatures } from '../../../src/core/files/export/batch/dataset';
import { LineSplitter } from '../../../src/core/files/read/bytes/lineSplitter';
import { readLineSteps } from '../../../src/core/format/parse/readLine';
import { callEditSteps } from '../../../src/core/format/lineOrigins/record/callEdits';
import type { FileEdit } from '../../../src/core/format/lineOrigins/record/fileEdit';
import { seenText, withoutMarks } from '../../../src/core/format/redact/seenText';
import { withoutEscapes } from '../../../src/core/format/redact/detectors/encodedTexts';
import { findInOtherForms } from '../../../src/core/format/redact/everyForm';
import { serializeSteps } from '../../../src/core/files/write/copyEntries';
import { keysOf } from '../../../src/core/format/values/jsonValues';
import { parseJson } from '../../../src/core/format/parse/parseJson';
import { decodeSteps } from '../../../src/core/format/text/decodeText';
import { countPauses } from '../../fixtures/countPauses';
import { pictures } from '../../../src/core/format/redact/imageFields';
import { withoutImageMetadata } from '../../../src/core/format/redact/imageMetadata';
import { joined } from '../../../src/core/format/redact/joinedTexts';
import { jsonStrings, withStrings } from '../../../src/core/format/redact/jsonStrings';
import { documentOf, type LineString } from '../../../src/core/format/redact/lineDocument';
import { Redactor } from '../../../src/core/format/redact/redactor';
import { scanLine } from '../../../src/core/format/redact/scannedLine';
import { SessionReader } from '../../../src/core/format/session/read/sessionReader';
import { sessionTitle } from '../../../src/core/format/session/sessionTitle';
import { finishSteps, type Steps } from '../../../src/core/format/session/steps';
import { jsonSteps } from '../../../src/core/format/text/jsonText';
import { normalizeMarkdown } from '../../../src/core/format/text/markdown/markdownProse';
import { inlineCode, inlineText } from '../../../src/core/format/text/markdown/markdownText';
import { session } from '../../fixtures/build';
import { read } from '../../fixtures/read';

const PARTS = 6_000;
const list = <T>(of: (index: number) => T): T[] => Array.from({ length: PARTS }, (_, index) => of(index));

/** Returns the number of steps, and the most calls of a function that is given to the work in one of them. */
function stepsOf<T>(make: (call: () => void) => Steps<T>): { readonly steps: number; readonly most: number } {
  let [steps, most, calls] = [0, 0, 0];
  const work = make(() => void calls++);
  for (let step = work.next(); ; step = work.next()) {
    most = Math.max(most, calls);
    calls = 0;
    if (step.done === true) return { steps, most };
    steps++;
  }
}

const message = (role: string, content: unknown, more: object = {}): string =>
  JSON.stringify({ type: 'message', message: { role, content, ...more } });
const text = (index: number): object => ({ type: 'text', text: `text ${String(index)}` });

/** Lines with very many parts, each a string of its own at least. */
const LINES: Readonly<Record<string, string>> = {
  calls: message(
    'assistant',
    list((index) => ({ type: 'toolCall', id: `call ${String(index)}`, name: 'read', arguments: { path: 'a.ts' } })),
  ),
  'nested calls': message('toolResult', [], { nestedCalls: { calls: list(() => ({ name: 'read', arguments: { path: 'a.ts' } })) } }),
  mentions: message('fileMention', [], { files: list((index) => ({ path: `${String(index)}.ts` })) }),
  blocks: message('user', list(text)),
  arguments: message('assistant', [
    { type: 'toolCall', id: 'c', name: 'n', arguments: Object.fromEntries(list((index) => [`key ${String(index)}`, 'value'])) },
  ]),
  'strings in JSON in a string': message('user', JSON.stringify(list((index) => `text ${String(index)}`))),
  'members of an extension’s data': JSON.stringify({
    type: 'custom',
    data: Object.fromEntries(list((index) => [`key ${String(index)}`, index])),
  }),
};

const WORD = /text|key|call|read|a\.ts|\d+\.ts/g;
const findWords = (given: string, add: (span: { start: number; end: number; rule: string; kind: 'own' }) => void): void => {
  for (const { index, 0: word } of given.matchAll(WORD)) add({ start: index, end: index + word.length, rule: 'word', kind: 'own' });
};

describe('A line with very many parts', () => {
  for (const [name, line] of Object.entries({
    'objects, glued': '{"type":"x"}'.repeat(PARTS),
    'broken objects': '{x}'.repeat(PARTS),
    'bytes that are no text between objects': '{"type":"x"}\ufffd'.repeat(PARTS),
    'short values': `{"type":"x","values":[${'1,'.repeat(200_000)}1]}`,
  }))
    it(`is read in steps: ${name}`, () => {
      const bytes = Buffer.from(line);
      const place = { line: 2, offset: 0, length: bytes.length, hasLineBreak: true };
      const read = finishSteps(readLineSteps(line));
      const objects = read.kind === 'objects' ? read.objects : [];
      assert.ok(stepsOf(() => readLineSteps(line)).steps >= (name === 'short values' ? 10 : PARTS / 100));
      assert.ok(stepsOf(() => new SessionReader({ path: '/a.jsonl', home: '' }).add(line, place)).steps >= (2 * objects.length) / 100);
      if (name !== 'short values') return;
      const lines = new LineSplitter({ offset: 0, line: 0 }, { add: () => undefined, addLong: () => undefined, skip: () => undefined });
      const whole = Buffer.concat(list(() => bytes).slice(0, 1 + (4 * 1024 * 1024) / bytes.length));
      assert.ok(stepsOf(() => lines.take(whole, 0, whole.length)).steps >= 128);
    });

  it('becomes a line of a page in steps', () => {
    const line = `{"type":"x","text":"<script>","values":[${'1,'.repeat(200_000)}1]}`;
    assert.ok(stepsOf(() => embedLineSteps(line)).steps >= 10);
  });

  it('becomes an entry in steps', () => {
    const content = list(() => ({ type: 'text' }));
    const head = { id: 'a', parentId: null };
    const entries = {
      message: { type: 'message', message: { role: 'user', content } },
      compaction: { type: 'compaction', retainedTail: list(() => ({ role: 'user', content: 'x' })) },
    };
    for (const [type, entry] of Object.entries(entries)) assert.ok(stepsOf(() => parseEntrySteps(entry, head)).steps >= PARTS / 500, type);
  });

  for (const [name, line] of Object.entries(LINES))
    it(`is searched for secrets in steps: ${name}`, () => {
      assert.ok(stepsOf(() => jsonStrings(line)).steps >= (name.includes('JSON') ? 1 : PARTS / 2_000 - 1));
      // The strings, what they are, and what was found in them.
      assert.ok(stepsOf(() => scanLine(line, { plain: [], other: [] })).steps >= PARTS / 100 - 1);
    });

  for (const [name, line] of Object.entries(LINES).filter(([other]) => !other.includes('JSON')))
    it(`has a step for every few thousand strings in each pass of a search for secrets: ${name}`, () => {
      const strings = finishSteps(jsonStrings(line));
      const passes = (steps: number): number => Math.round(steps / (strings.length / 2_000));
      const [leaves, runs]: [LineString[], LineString[][]] = [[], []];
      const ofDocument = stepsOf(() => documentOf(line, undefined, 0, leaves, runs)).steps;
      // The strings, the names beside them, the images, and what each is.
      assert.ok(passes(ofDocument) >= 4, `${String(passes(ofDocument))} passes`);
      assert.ok(stepsOf(() => joined(leaves, runs)).steps >= leaves.length / 2_000 - 1);
      const nothing = { plain: [], other: [] };
      const ofScan = stepsOf(() => scanLine(line, nothing)).steps;
      for (const work of [(own: Redactor): Steps<unknown> => own.learn(line), (own: Redactor): Steps<unknown> => own.redact(line, true)])
        assert.ok(stepsOf(() => work(new Redactor(nothing, (value) => value))).steps - ofScan >= leaves.length / 2_000);
    });

  it('is written as JSON in steps, as it would be at once', () => {
    const values: unknown[] = [
      ...Object.values(LINES).map((line) => JSON.parse(line) as unknown),
      { list: [], empty: {}, text: 'a\n"b"', '\n"': [null, true, 1.5, '\u2028', [[[{ a: [1, { b: 2 }] }]]]] },
      JSON.parse('['.repeat(15) + '{"a":{"b":[1,2]}}' + ']'.repeat(15)),
      `${'😀'.repeat(50_000)}\ud83d"\n`.repeat(2),
      'text',
      null,
    ];
    for (const value of values)
      for (const indent of [0, 2]) assert.equal(finishSteps(jsonSteps(value, indent)), JSON.stringify(value, undefined, indent));
    const members = Object.fromEntries(list((index) => [`key ${String(index)}`, index]));
    assert.ok(stepsOf(() => jsonSteps({ members })).steps >= PARTS / 2_000);
    for (const value of [members, { members }, list((index) => [index])]) {
      const call = { type: 'toolCall', id: 'c', name: 'n', arguments: { value } };
      const source = (role: string, block: object): ArticleSource => ({
        key: 'k',
        bases: { home: '', cwd: '' },
        messages: [{ role, content: [block] }] as unknown as Message[],
        entries: [{ id: 'e', time: 0 }],
      });
      // One step is for the block, and one for its argument.
      assert.ok(stepsOf(() => buildArticle(source('assistant', call))).steps >= 2 + PARTS / 2_000);
      assert.ok(stepsOf(() => buildArticle(source('user', { type: 'other', value }))).steps >= 1 + PARTS / 2_000);
      const answer = { role: 'assistant', content: [call] } as unknown as AssistantMessage;
      assert.ok(stepsOf(() => answerParts(answer, [], { translate: (template) => template })).steps >= 3 + PARTS / 2_000);
    }
  });

  it('is written as JSON in steps, whatever its parts are', () => {
    const many = 200_000;
    const deep = finishSteps(parseJson(`[${`${'['.repeat(100)}${']'.repeat(100)},`.repeat(many / 200)}1]`));
    const object = finishSteps(
      parseJson(`{${Array.from({ length: many }, (_, index) => `"key ${String(index)}":${String(index)}`).join()}}`),
    );
    for (const value of [Array<number>(many).fill(1), deep, object, 'a'.repeat(many * 16), { deep: [[[['a'.repeat(many * 16)]]]] }])
      for (const work of [jsonSteps(value), jsonSteps(value, 2), serializeSteps({ value }, read(session().user('x')), 1)]) {
        const { pauses, result } = countPauses(work);
        assert.ok(pauses >= 30, `${String(pauses)} pauses`);
        // Indented texts aren't many times as long.
        assert.ok(result.length <= 30 * JSON.stringify(value).length);
        assert.deepEqual(JSON.parse(result), result.startsWith('{"value":') ? { value } : value);
      }
  });

  it('has an object whose keys needn’t be collected again', () => {
    const keys = list((index) => `key ${String(index)}`);
    const text = `{${[...keys, ...keys].map((key) => `"${key}":"${'a'.repeat(20)}"`).join()}}`;
    const object = finishSteps(parseJson(text)) as object;
    assert.deepEqual(keysOf(object), keys);
    assert.equal(keysOf(object), keysOf(object));
    assert.deepEqual(keysOf({ ...object, more: 1 }), [...keys, 'more']);
  });

  it('is decoded in steps, and its characters stay whole', () => {
    for (const text of [`a${'😀'.repeat(1_000_000)}`, `\ufeff${'é'.repeat(1_000_000)}`]) {
      const { pauses, result } = countPauses(decodeSteps(Buffer.from(text)));
      assert.ok(pauses >= 3);
      assert.equal(result, text);
    }
    assert.equal(finishSteps(decodeSteps(Buffer.from([0x61, 0xf0, 0x9f]))), 'a\ufffd');
  });

  it('is searched for secrets in steps, however much of it is hidden or encoded', () => {
    const hidden = '\u200bab'.repeat(20_000);
    for (const work of [seenText(hidden), withoutMarks('a**b'.repeat(20_000)), withoutEscapes('%41b'.repeat(20_000))])
      assert.ok(countPauses<unknown>(work).pauses >= 9);
    const encoded = list((index) => Buffer.from(`a text that is number ${String(index)}`).toString('base64')).join(' ');
    assert.ok(countPauses(findInOtherForms(encoded, [], () => undefined)).pauses >= PARTS);
  });

  it('is searched for its images in steps', () => {
    const images = message(
      'user',
      list(() => ({ type: 'image', mimeType: 'image/png', data: 'x' })),
    );
    const strings = finishSteps(jsonStrings(images));
    // The data, the types of the blocks and of the images, and each of these.
    assert.ok(stepsOf(() => pictures(strings)).steps >= (3 * strings.length) / 2_000 + PARTS);
  });

  for (const [name, line] of Object.entries(LINES))
    it(`gets its placeholders in steps: ${name}`, () => {
      const learned = new Redactor({ plain: [findWords], other: [] }, (value) => value);
      finishSteps(learned.learn(line));
      const { most } = stepsOf((call) => new Redactor({ plain: [findWords], other: [] }, (value) => (call(), value)).redact(line, true));
      assert.ok(most <= 500, `${String(most)} placeholders in one step`);
      assert.ok(stepsOf(() => learned.learn(line)).steps >= (2 * PARTS) / 100 - 2);
      const strings = finishSteps(jsonStrings(line));
      const values = new Map(strings.map((string) => [string, 'x']));
      assert.ok(stepsOf(() => withStrings(line, strings, values)).steps >= strings.length / 2_000);
    });

  it('loses metadata of images and signatures in steps', () => {
    const images = message(
      'user',
      list(() => ({ type: 'image', mimeType: 'image/png', data: `iVBORw0KGgo${'A'.repeat(80)}` })),
    );
    assert.ok(stepsOf(() => withoutImageMetadata(images)).steps >= PARTS);
    const signed = message(
      'assistant',
      list(() => ({ type: 'thinking', thinking: '', thinkingSignature: 's' })),
    );
    assert.ok(stepsOf(() => withoutSignatures(signed)).steps >= (3 * PARTS) / 2_000);
  });

  for (const [name, line] of Object.entries(LINES))
    it(`becomes a section of a document in steps: ${name}`, () => {
      const { session: built, bodies } = { session: read(session().user('x')), bodies: JSON.parse(line) as Entry };
      const [head] = built.entries;
      assert.ok(head);
      const nested = name === 'nested calls' ? 256 : 1;
      const { steps, most } = stepsOf((call) =>
        markdownSection(
          { head, entry: bodies, results: [] },
          {
            labels: new Map(),
            translate: (template, args) => {
              call();
              return formatMessage(template, args);
            },
          },
        ),
      );
      assert.ok(most <= 20, `${String(most)} parts in one step`);
      if (['calls', 'blocks', 'arguments'].includes(name)) assert.ok(steps >= PARTS);
      else assert.ok(steps >= nested - 1);
    });

  it('has its calls beside their results in steps', () => {
    const head = read(session().user('x')).entries[0];
    assert.ok(head);
    const { most } = stepsOf((read) => {
      const calls = list((index) => ({
        type: 'toolCall' as const,
        name: 'read',
        arguments: {},
        get id() {
          read();
          return `call ${String(index)}`;
        },
      }));
      const entry = { type: 'message', message: { role: 'assistant', content: calls } } as unknown as Entry;
      const result = { type: 'message', message: { role: 'toolResult', toolCallId: 'call 7', content: 'done' } } as unknown as Entry;
      return markdownSection({ head, entry, results: [result] }, { labels: new Map(), translate: formatMessage });
    });
    assert.ok(most <= 20, `${String(most)} calls in one step`);
  });

  it('has its prompt and tools replayed in steps', () => {
    const sections = Object.fromEntries(list((index) => [`section ${String(index)}`, 'text']));
    const tools = list((index) => ({ name: `tool ${String(index)}` }));
    const entries: Readonly<Record<string, object>> = {
      names: { type: 'session_init', systemPrompt: 'p', tools: tools.map(({ name }) => name) },
      added: { type: 'message', message: { role: 'system', content: '', toolsAdded: tools } },
      removed: { type: 'message', message: { role: 'system', content: '', toolsRemoved: tools } },
      sections: { type: 'message', message: { role: 'system', content: '', sections } },
    };
    for (const [name, entry] of Object.entries(entries)) {
      const { pauses } = countPauses(systemPromptSteps([entry as Entry]));
      assert.ok(pauses >= (name === 'names' ? 2 : 1) * Math.floor(PARTS / 500), `${name}: ${String(pauses)}`);
    }
  });

  it('is joined to a section in steps', () => {
    const entry = JSON.parse(message('user', list(text))) as Entry;
    const head = read(session().user('x')).entries[0];
    assert.ok(head);
    const { pauses } = countPauses(markdownSection({ head, entry, results: [] }, { labels: new Map(), translate: formatMessage }));
    // A step for each block, and more for their quotes and for the whole.
    assert.ok(pauses >= PARTS + 2 * Math.floor(PARTS / 500), String(pauses));
    const parts = finishSteps(markdownSectionParts({ head, entry, results: [] }, { labels: new Map(), translate: formatMessage }));
    assert.ok(parts.length > PARTS / 500, 'written in parts');
  });

  it('isn’t searched again for secrets if there are none', () => {
    const line = message('user', list(text));
    const redactor = new Redactor({ plain: [], other: [] }, (value) => value);
    assert.equal(finishSteps(redactor.learn(line)), false);
    assert.deepEqual(countPauses(redactor.redact(line, false)), { pauses: 0, result: { text: line, findings: [] } });
  });

  it('becomes a prompt of bounded length, without making what is left out', () => {
    let cuts = 0;
    const tools = list((index) => ({ name: `tool ${String(index)}`, description: 'does it '.repeat(20), parameters: { type: 'object' } }));
    const { pauses, result: paragraphs } = countPauses(
      promptMarkdown(
        { text: '', sections: [], tools, removedSections: [], removedTools: [] },
        {
          translate: formatMessage,
          isChange: false,
          truncate: (given) => {
            cuts++;
            return given;
          },
        },
      ),
    );
    assert.ok(pauses >= PARTS / 500);
    assert.ok(cuts < PARTS / 2, `${String(cuts)} texts were prepared`);
    assert.match(paragraphs.at(-1) ?? '', /^\*\d+ more sections and tools are left out here\.\*$/);
  });
});

describe('A call that changes very many files or places', () => {
  const lines = list((index) => `@@ -${String(index)},1 +${String(index)},1 @@\n-a\n+b`).join('\n');
  const sections = list((index) => `*** Update File: src/f${String(index)}.ts\n@@\n-a\n+b`).join('\n');
  const edit = (given: object, details: object = {}): Steps<readonly FileEdit[]> =>
    callEditSteps({ name: 'edit', arguments: given }, { details });

  it('is read in steps', () => {
    const [files, places] = [PARTS / 200 - 1, (PARTS * 3) / 2048 - 1];
    assert.ok(stepsOf(() => edit({ input: sections })).steps >= files + places);
    assert.ok(stepsOf(() => edit({ path: 'a' }, { diff: lines })).steps >= places);
    assert.ok(stepsOf(() => edit({ path: 'a' }, { patch: lines })).steps >= places);
    assert.ok(stepsOf(() => edit({ input: sections.replaceAll(/\*.*: (.*)/g, '[$1#ab12]') })).steps >= places);
    assert.ok(stepsOf(() => edit({ path: 'a', edits: JSON.stringify(list(() => ({ path: 'a', old: lines.slice(0, 80) }))) })).steps >= 10);
  });

  it('has its edits put in order in steps, each once', () => {
    const of = (count: number): SessionEdit[] =>
      Array.from({ length: count }, (_, index) => {
        const edit = { file: '/a', text: '', hunks: [], replacements: [], isCertain: true };
        const time = (index * 7919) % 1000;
        return {
          path: '/s',
          entryId: 'e',
          promptId: undefined,
          key: String(index),
          time,
          file: '/a',
          movedTo: undefined,
          pastedFrom: [],
          edit,
        };
      });
    const { pauses, result } = countPauses(editsInOrder([of(10_000), of(10_500)], false));
    assert.ok(pauses >= 20_500 / 500, String(pauses));
    assert.deepEqual([result.length, result.every(({ time }, at) => time >= (result[at - 1]?.time ?? 0))], [10_500, true]);
    assert.equal(countPauses(editsInOrder([of(20_500)], false)).result.length, 20_000);
  });

  it('has the changes of its result at their files, with a step for each', () => {
    const results = list((index) => ({ path: `/home/src/f${String(index)}.ts`, diff: '+1 x' }));
    const { steps } = stepsOf(() => edit({ input: sections }, { perFileResults: results }));
    assert.ok(steps >= 2 * 1000);
    const edits = finishSteps(edit({ input: sections }, { perFileResults: results }));
    assert.equal(edits.length, PARTS);
    assert.deepEqual([edits[1]?.file, edits[1]?.hunks[0]?.lines[0]?.text], ['/home/src/f1.ts', 'x']);
  });
});

describe('A text of megabytes with characters that are made visible', () => {
  const long = '\u202e'.repeat(100_000);
  const article = (...messages: object[]): ArticleSource => ({
    key: 'k',
    bases: { home: '/home/me', cwd: '/work' },
    messages: messages as Message[],
    entries: messages.map(() => ({ id: 'e', time: 0 })),
  });
  const texts = [{ type: 'text', text: long }];
  const call = (args: object): object => ({ role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'n', arguments: args }] });
  for (const [name, message] of Object.entries({
    prompt: { role: 'user', content: long },
    wrapper: { role: 'user', content: `hi\n\n<file name="a">\n${long}\n</file>` },
    block: { role: 'user', content: [{ type: 'other', long }] },
    attachment: { role: 'user', content: '', attachments: [{ type: 'document', extractedText: long }] },
    answer: { role: 'assistant', content: texts },
    thinking: { role: 'assistant', content: [{ type: 'thinking', thinking: long }] },
    argument: call({ long }),
    diff: call({ path: 'a', oldText: 'x', newText: long }),
    error: { role: 'assistant', content: [], errorMessage: long },
    rest: { role: 'user', content: [...list(() => ({ type: 'text', text: 'x' })), ...texts] },
    result: { role: 'toolResult', toolCallId: 'c', toolName: 'n', content: texts },
    command: { role: 'bashExecution', command: long, output: '' },
    output: { role: 'bashExecution', command: '', output: long },
    summary: { role: 'compactionSummary', summary: long },
  }))
    it(`is cleaned for an article in steps: ${name}`, () => {
      const own = name === 'rest' ? PARTS : 4;
      assert.ok(stepsOf(() => buildArticle(article(message))).steps >= own + 8);
    });
});

describe('A text with very many signs for Markdown', () => {
  for (const sign of ['\u202e', '`a ', '[x]', '*a_b* '])
    it(`becomes prose in steps: ${JSON.stringify(sign)}`, () => {
      for (const [text, least] of [
        [sign.repeat(20_000), 40],
        [`> # ${sign.repeat(20_000)}`, 40],
        [`${sign}\n`.repeat(20_000), 40],
        [`# ${sign}\n`.repeat(20_000), 40],
      ] as const)
        assert.ok(countPauses(normalizeMarkdown(text)).pauses >= least, text.slice(0, 20));
    });
});

describe('A system prompt of megabytes', () => {
  const long = '\u202e'.repeat(100_000);
  const empty = { text: '', sections: [], tools: [], removedSections: [], removedTools: [] };
  for (const [name, given] of Object.entries({
    text: { text: long },
    section: { sections: [{ name: 's', text: long }] },
    tool: { tools: [{ name: 't', description: long, parameters: undefined }] },
    'schema of a tool': { tools: [{ name: 't', description: '', parameters: { long } }] },
    'names of tools': { tools: [{ name: long, description: '', parameters: undefined }] },
    'schema of the answer': { outputSchema: { long } },
  }))
    it(`is cleaned for an article in steps: ${name}`, () => {
      for (const parts of [promptParts, promptChangeParts])
        assert.ok(countPauses(parts({ ...empty, ...given }, new PartCollector())).pauses >= 8);
    });
});

describe('A text of megabytes that is meant for one line', () => {
  for (const opener of ['[', '\u202e', '`', 'a', '😀', '$(x)', '\r', '<', 'http://a.b '])
    it(`is cut before it’s prepared: ${JSON.stringify(opener)}`, () => {
      const long = `x${opener.repeat(1_000_000 / opener.length)}`;
      assert.ok(inlineText(long).length <= 12 * 4_000);
      assert.ok(inlineCode(long).length <= 6 * 4_100);
      assert.ok(sessionTitle(long, {}).length <= 1_000);
      assert.ok(!/[\ud800-\udbff](?![\udc00-\udfff])/.test(inlineText(long)), 'no half of a character');
    });

  it('stays whole in prose, whose length is bounded as a whole', () => {
    const address = `http://a.b/${'c'.repeat(10_000)}`;
    const line = read(session().user(address)).entries[0];
    assert.ok(line);
    const entry = JSON.parse(message('user', address)) as Entry;
    const section = finishSteps(markdownSection({ head: line, entry, results: [] }, { labels: new Map(), translate: formatMessage }));
    assert.ok(section.includes(`\`${address}\``));
  });

  it('is shown below a failed answer, with its end', () => {
    const error = `no words ${'['.repeat(10_000)} the end`;
    const entry = JSON.parse(message('assistant', [], { stopReason: 'error', errorMessage: error })) as Entry;
    const head = read(session().user('x')).entries[0];
    assert.ok(head);
    const section = finishSteps(markdownSection({ head, entry, results: [] }, { labels: new Map(), translate: formatMessage }));
    assert.match(section, /\*Failed\* no words .*…\n\n\*Error details\*\n\n```[^]* the end\n```$/);
  });
});

describe('An article', () => {
  const build = (...messages: object[]): ReturnType<typeof stepsOf> & BuiltArticle => {
    const source: ArticleSource = {
      key: 'k',
      bases: { home: '', cwd: '' },
      messages: messages as unknown as readonly Message[],
      entries: messages.map((_, index) => ({ id: String(index), time: 0 })),
    };
    return { ...stepsOf(() => buildArticle(source)), ...finishSteps(buildArticle(source)) };
  };

  for (const [name, line] of Object.entries(LINES))
    it(`has a bounded number of parts, and is built in steps: ${name}`, () => {
      const { message: given = {} } = JSON.parse(line) as { message?: object };
      const { article, texts, steps } = build({ role: 'user', content: [], ...given });
      assert.ok(article.parts.length <= 501, `${String(article.parts.length)} parts`);
      if (!['calls', 'blocks', 'arguments'].includes(name)) return;
      assert.ok(steps >= PARTS - 1, `${String(steps)} steps`);
      if (name === 'arguments') return;
      const rest = article.parts.at(-1);
      assert.ok(rest?.kind === 'fold' && rest.content === 'rest');
      assert.equal(rest.count, PARTS - 500);
      assert.ok(texts.at(-1)?.includes(name === 'calls' ? 'read\npath: a.ts' : `text ${String(PARTS - 1)}`));
    });

  it('has the results of its calls once, in the fold of the others, too', () => {
    const calls = list((index) => ({ type: 'toolCall', id: String(index), name: 'read', arguments: {} }));
    const answer = { role: 'toolResult', toolCallId: '5000', content: [{ type: 'text', text: 'the answer' }] };
    const { article, texts } = build({ role: 'assistant', content: calls }, answer);
    assert.equal(article.parts.length, 501);
    assert.match(texts.at(-1) ?? '', /read\n\nthe answer/);
  });

  it('with a bounded number of documents and images beside its text', () => {
    const documents = list((index) => ({ type: 'document', fileName: `${String(index)}.txt`, extractedText: 'x' }));
    assert.ok(build({ role: 'user', content: 'x', attachments: documents }).article.parts.length <= 502);
    const images = list(() => ({ type: 'image', mimeType: 'image/png', data: 'iVBORw0KGgo=' }));
    const { article, images: shown } = build({ role: 'user', content: images });
    assert.deepEqual([article.parts.length, shown.length], [501, 500]);
  });

  it('has no difference of very many edits, but their arguments', () => {
    const edits = list((index) => ({ oldText: `a${String(index)}`, newText: 'b' }));
    const call = (count: number): object => ({
      type: 'toolCall',
      id: 'c',
      name: 'edit',
      arguments: { path: 'a', edits: edits.slice(0, count) },
    });
    const diffOf = (part: Part | undefined): boolean => part?.kind === 'tool' && part.diff !== undefined;
    assert.equal(diffOf(build({ role: 'assistant', content: [call(1000)] }).article.parts[0]), true);
    assert.equal(diffOf(build({ role: 'assistant', content: [call(1001)] }).article.parts[0]), false);
    const long = { type: 'toolCall', id: 'c', name: 'edit', arguments: { path: 'a', oldText: 'a\n'.repeat(600_000), newText: 'b' } };
    assert.equal(diffOf(build({ role: 'assistant', content: [long] }).article.parts[0]), false);
  });
});
