import assert from 'node:assert/strict';
import { join } from 'node:path';
import { readSession } from '../../../src/core/index';
import type { EntryRow } from '../../../src/tree/rows/viewRows';
import type * as tooltipsModule from '../../../src/tree/tooltips/tooltips';
import { entryId, session } from '../../fixtures/build';
import { fakeEditor, MarkdownString } from '../../fixtures/fakeEditor';
import { testFolder } from '../../fixtures/folder';
import { loadWithVscode } from '../../fixtures/loadWithVscode';
import { assertWhole, longTexts } from '../../fixtures/wholeCharacters';

const { resolveTreeItem } = loadWithVscode(
  join(__dirname, '../../../src/tree/tooltips/tooltips.js'),
  fakeEditor().api,
) as typeof tooltipsModule;

describe('The tooltip of an entry', () => {
  const folder = testFolder();
  /** Returns the tooltip of the last entry of a session. */
  const tooltipOf = async (text: string): Promise<string> => {
    const opened = await readSession(await folder.write('a.jsonl', text));
    const head = opened.entries.findLast(({ type }) => type === 'message');
    const row = { row: 'entry', path: opened.path, entry: { head, isLeaf: false } } as EntryRow;
    const { tooltip } = await resolveTreeItem({}, row, {
      session: () => Promise.resolve(opened),
      presence: () => undefined,
      needsInput: () => false,
      pendingChanges: () => [],
    });
    assert.ok(tooltip instanceof MarkdownString);
    return tooltip.value;
  };

  it('of a system prompt names its sections and tools', async () => {
    const prompt = {
      role: 'system',
      content: '',
      sections: { rules: 'Be brief.', cwd: '/work' },
      toolsAdded: [{ name: 'read' }, { name: 'bash' }],
    };
    const tooltip = await tooltipOf(session().user('a').message(prompt).text());
    for (const line of ['Sections\\: rules, cwd', 'Tools\\: read, bash']) assert.ok(tooltip.includes(line), tooltip);
  });

  it('of a result has room for the result after a long command', async () => {
    const call = session()
      .user('a')
      .tool('bash', { command: `echo ${'x'.repeat(1000)}` }, 'The output');
    assert.match(await tooltipOf(call.text()), /echo x+…[^]*The output/);
  });

  it('cuts no character of a text or a label in two', async () => {
    for (const text of longTexts(1600, 12))
      assert.equal(assertWhole(await tooltipOf(session().user(text).label(entryId(1), text).text()), text), 2);
  });

  it('cuts no character of a tool’s name in two', async () => {
    for (const toolName of longTexts(300, 12)) {
      const result = { role: 'toolResult', toolCallId: 'c', toolName, content: [] };
      assert.ok(assertWhole(await tooltipOf(session().user('a').message(result).text()), toolName) > 0);
    }
  });

  it('cuts no character of an id in two', async () => {
    for (const id of longTexts(1600, 3)) {
      const lines = session()
        .user('a')
        .text()
        .replaceAll(`"${entryId(1)}"`, JSON.stringify(id));
      assert.equal(assertWhole(await tooltipOf(lines), id), 1);
    }
  });

  it('has no half of a surrogate pair where it cuts a letter with endless marks', async () => {
    for (const marks of ['\u0301', '\u{1f3fb}', '\u200d\u{1f468}'])
      for (let shift = 0; shift < 4; shift++) {
        const shown = await tooltipOf(
          session()
            .user('b'.repeat(1400 + shift) + marks.repeat(200))
            .text(),
        );
        assert.doesNotMatch(shown, /\p{Surrogate}/u);
        assert.ok(shown.includes('…'));
      }
  });
});
