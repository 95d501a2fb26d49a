import assert from 'node:assert/strict';
import fc from 'fast-check';
import { matchExplanation } from '../../../src/core/catalog/search/matchExplanation';
import { parseQuery, snippetOf } from '../../../src/core/catalog/search/query/searchQuery';
import { FileChangeCollector } from '../../../src/core/format/context/fileChanges';
import { answerParts } from '../../../src/core/format/context/markdown/messageMarkdown';
import { describeEntry, describeMessage, describeToolCall } from '../../../src/core/format/entry/rowText';
import { Scanner } from '../../../src/core/format/scanner/scanner';
import { beginning, boundaryAfter, boundaryBefore, ending } from '../../../src/core/format/text/characters';
import { excerpt } from '../../../src/core/format/text/excerpt';
import { truncateMiddle } from '../../../src/core/format/text/markdown/markdownText';
import { oneLine } from '../../../src/core/format/text/oneLine';
import { plainLine } from '../../../src/core/format/text/plainLine';
import { uiLine, uiLineKeepingEnds, uiPath, uiText } from '../../../src/core/format/text/uiText';
import { titleSlotLine } from '../../../src/core/format/write/sessionNames';
import { sliceAtLine, truncate } from '../../../src/context/articles/truncateText';
import type { Entry } from '../../../src/core/format/entry/entry';
import { finishSteps } from '../../../src/core/format/session/steps';
import { session } from '../../fixtures/build';
import { boundaries, CHARACTERS } from '../../fixtures/wholeCharacters';
import { CAPACITY, readBytes } from '../properties/readBytes';

describe('Characters', () => {
  it('are found as by segmenting the whole text', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...CHARACTERS, '\r', '\n', '\ud83d'), { minLength: 1, maxLength: 40 }), (parts) => {
        const text = parts.join('');
        const wanted = boundaries(text);
        for (let at = 0; at <= text.length; at++) {
          let [before, after] = [at, at];
          while (!wanted.has(before)) before--;
          while (!wanted.has(after)) after++;
          assert.deepEqual([boundaryBefore(text, at), boundaryAfter(text, at)], [before, after]);
        }
      }),
    );
  });

  it('are those of the segmenter in all scripts', () => {
    for (let unit = 0x20; unit < 0x10000; unit++) {
      if (unit >= 0xd800 && unit < 0xe000) continue;
      const text = `a${String.fromCharCode(unit)}a`;
      const wanted = boundaries(text);
      for (const at of [1, 2]) assert.equal(boundaryBefore(text, at) === at, wanted.has(at), `U+${unit.toString(16)}`);
    }
  });

  it('are flags in pairs, also in long rows of them', () => {
    const text = `x${CHARACTERS[2]!.repeat(1000)}`;
    for (const at of [1799, 1800, 1801, 1802, 1803, 1804]) {
      assert.equal((boundaryBefore(text, at) - 1) % 4, 0);
      assert.equal((boundaryAfter(text, at) - 1) % 4, 0);
    }
  });

  it('are cut between code points if they have no end', () => {
    const text = `e${'\u0301'.repeat(2000)}\u{1f600}`;
    assert.equal(beginning(text, 1000).length, 1000);
    assert.equal(ending(`x${'\u{1f3fb}'.repeat(1000)}`, 1001).length, 1000);
    assert.equal(beginning(`x${'\u{1f3fb}'.repeat(1000)}`, 1002).length, 1001);
  });

  it('are cut at the same place whatever follows the next code point', () => {
    const pieces = [...CHARACTERS, '\u032f'.repeat(70), '\u032f'.repeat(300), '\u{1f3fb}'.repeat(40), 'words '.repeat(20)];
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...pieces), { minLength: 1, maxLength: 12 }), fc.nat(300), (parts, at) => {
        const text = parts.join('');
        const near = Array.from(text.slice(at))[0] ?? '';
        assert.equal(beginning(text.slice(0, at + near.length + (near === '' ? 0 : 1)), at), beginning(text, at));
        if (text.length >= 100) assert.ok(beginning(text, 100).length > 0);
      }),
    );
  });

  const query = parseQuery('word')!;
  const line = (text: string): { readonly [key: string]: unknown } => ({ type: 'message', message: { role: 'user', content: text } });
  const CUTS: Readonly<Record<string, (text: string) => string | readonly string[]>> = {
    excerpt: (text) => excerpt(text, 100),
    oneLine: (text) => oneLine(text, 100),
    plainLine: (text) => plainLine(text, 100),
    uiLine: (text) => uiLine(text, 100),
    uiText: (text) => uiText(text, 100),
    uiLineKeepingEnds: (text) => uiLineKeepingEnds(text, 100).split('…'),
    uiPath: (text) => uiPath(`${text}/x`, 100).split('…')[0]!,
    truncateMiddle: (text) => truncateMiddle(text, 100, () => '|').split('\n|\n'),
    truncate: (text) => {
      const { text: head, tail = '' } = truncate(text, { start: 60, end: 40 });
      return [head, tail];
    },
    sliceAtLine: (text) => sliceAtLine(text, 0, text.length, 100),
    'rows of messages': (text) =>
      ['user', 'assistant', 'bashExecution'].map((role) => describeMessage({ role, content: text, command: text }, undefined)),
    'rows of errors': (text) => describeMessage({ role: 'assistant', errorMessage: text }, undefined),
    'rows of entries': (text) => describeEntry({ type: 'session_info', name: text }).slice(0, -1),
    'rows of commands': (text) => describeToolCall('bash', { command: text }, { cwd: '', home: '' }).replace(/\.*\]$/, ''),
    'rows of other calls': (text) => describeToolCall('ask', { question: text }, { cwd: '', home: '' }).replace(/\.*\]$/, ''),
    snippets: (text) => snippetOf(`${text}${text}(word ${text}`, query)!.snippet.split(/…|\(?word/),
    'beginnings of hits': (text) => matchExplanation({ text, value: line(text) }, {}, '')!.snippet,
    'names of tools in documents': (text) => {
      const before = 'x'.repeat(3900);
      const [line = ''] = finishSteps(
        answerParts({ role: 'assistant', content: [{ type: 'toolCall', id: '', name: before + text, arguments: {} }] }, [], {
          translate: (name) => name,
          isFolded: true,
        }),
      );
      return /<code>x{3900}(.*)<\/code>/u.exec(line)?.[1] ?? 'no name';
    },
    'changed parts of files': (text) => {
      const before = 'x'.repeat(9900);
      const changes = new FileChangeCollector('/', false);
      const edit = { path: 'a', oldText: before + text, newText: `${text}${before}` };
      const messages = [
        { role: 'assistant', content: [{ type: 'toolCall', id: 'c', name: 'edit', arguments: edit }] },
        { role: 'toolResult', toolCallId: 'c', content: [] },
      ];
      for (const message of messages) finishSteps(changes.add({ type: 'message', id: 'e', message } as unknown as Entry));
      return changes.changes()[0]?.before.slice(before.length) ?? 'no part';
    },
    'title slots': (text) => (JSON.parse(titleSlotLine({ title: text, updatedAt: '' })) as { readonly title: string }).title,
  };
  for (const [name, cut] of Object.entries(CUTS))
    it(`aren't cut in ${name}`, () => {
      for (const character of CHARACTERS.filter((one) => one !== ' '))
        for (let shift = 0; shift < 14; shift++) {
          const text = 'b'.repeat(shift) + character.repeat(120);
          for (const part of [cut(text)].flat()) {
            const kept = part.replace(/…$/, '').trim();
            const whole = kept.replace(/^(?:user: |assistant: |\[\w+\]?: )/, '');
            const at = text.indexOf(whole);
            const places = boundaries(text);
            assert.ok(places.has(at) && places.has(at + whole.length), `${name}: ${JSON.stringify(part.slice(-12))}`);
            assert.doesNotMatch(part, /\p{Surrogate}/u);
          }
        }
    });

  it('are whole in rows that the scanner made, which are those of parsed lines', async () => {
    const scanner = new Scanner(CAPACITY, 0);
    for (const character of CHARACTERS) {
      const built = session();
      for (let length = 380; length < 404; length++)
        built.assistant([], { message: { errorMessage: 'x'.repeat(length) + character.repeat(9) } });
      for (let length = 180; length < 204; length++) {
        const text = 'x'.repeat(length) + character.repeat(9);
        built
          .user(text)
          .assistant(text)
          .assistant([
            { type: 'text', text: text.slice(0, 90) },
            { type: 'text', text: text.slice(90) },
          ]);
      }
      for (const escaped of [false, true]) {
        const text = built.text();
        const bytes = Buffer.from(
          escaped ? text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`) : text,
        );
        const scanned = await readBytes(bytes, scanner);
        const texts = scanned.heads.map((head) => (head as { readonly text: string }).text);
        assert.ok(scanned.messages > 50);
        const parsed = await readBytes(bytes);
        assert.deepEqual(
          texts,
          parsed.heads.map((head) => (head as { readonly text: string }).text),
        );
        for (const row of texts) assert.ok(boundaries(`${row}${character}`).has(row.length) || !row.endsWith(character.slice(0, -1)), row);
      }
    }
  });
});
