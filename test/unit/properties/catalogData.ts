/** The catalog's data for a file, to compare ways of reading it. */
import assert from 'node:assert/strict';
import { decodeAnswers } from '../../../src/core/catalog/encoding/answerTable';
import { LineTable, toolsOfLines } from '../../../src/core/catalog/encoding/lineTable';
import { bytesOfText, haveWords, textCount, lineOfText, type LineWords } from '../../../src/core/catalog/index/words/lineWords';
import { scanSession, type ScanBuffers, type ScanResult } from '../../../src/core/catalog/index/scanSession';
import { wordsOf } from '../../../src/core/catalog/index/storedTexts';
import { decodeTouches } from '../../../src/core/catalog/encoding/touchTable';
import type { Dialect } from '../../../src/core/format/entry/dialect';
import { sessionValues } from '../../fixtures/shape';

/** Returns the catalog's data for a file as plain values. It is the same if words are read later. */
export async function catalogData(path: string, dialect: Dialect, buffers: ScanBuffers): Promise<unknown> {
  const options = { dialect, buffers, check: () => undefined };
  const first = await scanSession(path, { ...options, leaveWordsFrom: 0 });
  const { words: left, lines, version } = first.index;
  assert.ok(!haveWords(left));
  // The session is valid until the buffers are used again.
  const rows = plainData(first);
  const texts = { path, version, title: first.session.name ?? '', lines: new LineTable(lines).textLines() };
  const later = wordsOf(texts, buffers, options.check);
  const whole = await scanSession(path, options);
  const { words } = whole.index;
  assert.ok(haveWords(words) && later);
  const data = plainData(whole);
  assert.deepEqual([rows, textLines(left), plainWords(later)], [data, textLines(words), plainWords(words)]);
  return { ...data, words: plainWords(words) };
}

/** Everything but the words. */
function plainData({ index, session, checksum: mark }: ScanResult): object {
  const { lines, touches, answers } = index;
  return {
    ...index,
    words: undefined,
    mark,
    session: sessionValues(session),
    lines: new LineTable(lines).all(),
    tools: new Set(toolsOfLines(lines)),
    touches: (JSON.parse(touches.paths) as string[]).map((file) => [file, [...decodeTouches(touches, (one) => one === file)]]),
    answers: answers.map(({ model, bytes }) => {
      const decoded: unknown[] = [];
      decodeAnswers(bytes, ({ numbers, ...answer }) => decoded.push({ ...answer, numbers: [...numbers] }));
      return { model, decoded };
    }),
  };
}

const textLines = (words: Pick<LineWords, 'positions'>): number[] =>
  Array.from({ length: textCount(words) }, (_, index) => lineOfText(words, index));

const plainWords = (words: LineWords): unknown =>
  textLines(words).map((line, index) => [line, Buffer.from(bytesOfText(words, index)).toString().split(/\s+/).filter(Boolean)]);
