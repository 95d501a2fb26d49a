import assert from 'node:assert/strict';
import fc from 'fast-check';
import { DATA_BLOCK_END, DATA_BLOCK_START, embedLine, extractLine, extractSession } from '../../../src/core/format/export/htmlData';
import { SEARCHED_UNITS } from '../../../src/core/format/text/searchSteps';

/** Text of which some would end the block, or change its meaning for the browser's parser. */
const hostile = fc
  .array(fc.oneof(fc.constantFrom('</script>', '</SCRIPT ', '<script>', '<!--', '-->', '<', '"', '\\', '\r', '\0', '{', '}'), fc.string()))
  .map((parts) => parts.join('').replaceAll('\n', ''));

const documentOf = (lines: readonly string[]): string =>
  ['<!DOCTYPE html>', '<title>x</title>', DATA_BLOCK_START, ...lines.map(embedLine), DATA_BLOCK_END, '<script>0</script>'].join('\n');

describe('Lines in an HTML export', () => {
  it('never end their block, start another script or comment, or change in a browser’s parser', () => {
    fc.assert(
      fc.property(hostile, fc.boolean(), (text, asJson) => {
        const line = embedLine(asJson ? JSON.stringify({ type: 'message', text }) : text);
        assert.doesNotMatch(line, /<\/script|<script|<!--/i);
        assert.doesNotMatch(line, /\n|\0|\r(?!$)/);
      }),
    );
  });

  it('come back with the same content, whatever it is', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const json = JSON.stringify({ type: 'message', text });
        assert.deepEqual(JSON.parse(extractLine(embedLine(json))), JSON.parse(json));
        const back = extractLine(embedLine(text));
        if (back !== text) assert.deepEqual(JSON.parse(back), JSON.parse(text));
      }),
    );
  });

  it('end no block where a long line is cut to be searched', () => {
    for (const hazard of ['</script>', '<script>', '<!--', '<</SCRIPT', '<<<<<<<<!--'])
      for (let begin = SEARCHED_UNITS - 16; begin <= SEARCHED_UNITS; begin++) {
        const before = begin - '{"type":"x","text":"'.length;
        const line = JSON.stringify({ type: 'x', text: `${'a'.repeat(before)}${hazard}${'b'.repeat(100)}${hazard}` });
        const embedded = embedLine(line);
        assert.ok(!/<\/script|<script|<!--/i.test(embedded), `${hazard} ${String(begin)}`);
        assert.equal(embedded.length, line.length + 10, `${hazard} ${String(begin)}`);
        if (begin === SEARCHED_UNITS) assert.ok(JSON.stringify(JSON.parse(embedded)) === line);
      }
  });

  it('come back exactly if nothing in them is special', () => {
    for (const line of ['{"type":"session","id":"a < b </p>"}', '', '{"torn', '"a string"', 'x</script>y', '{"a":1}\r'])
      assert.equal(extractLine(embedLine(line)), line);
  });

  it('are found in the document, whose text may come from Windows', async () => {
    const lines = ['{"type":"session"}', '{"type":"message","text":"</script>"}', 'torn </script>', ''];
    const found = (await extractSession(documentOf(lines))) ?? [];
    assert.deepEqual(found, ['{"type":"session"}', '{"type":"message","text":"\\u003c/script>"}', 'torn </script>', '']);
    assert.deepEqual(await extractSession(documentOf(lines).replaceAll('\n', '\r\n')), found);
  });

  it('are distinguished from a page without a session', async () => {
    assert.equal(await extractSession('<!DOCTYPE html>\n<p>Nothing</p>'), undefined);
    assert.deepEqual(await extractSession(documentOf([])), []);
  });
});
