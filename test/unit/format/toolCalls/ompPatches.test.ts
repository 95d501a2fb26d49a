import assert from 'node:assert/strict';
import { describeToolCall } from '../../../../src/core/format/entry/rowText';
import { editsOfCall } from '../../../../src/core/format/lineOrigins/record/callEdits';
import { touchesOfLine } from '../../../../src/core/format/toolCalls/fileTouches';
import { filesOfPatch } from '../../../../src/core/format/toolCalls/patchedFiles';

const call = (name: string, args: Record<string, unknown>) => ({ type: 'toolCall', id: 'c', name, arguments: args });
const DONE = { role: 'toolResult', content: [{ type: 'text', text: 'ok' }], isError: false };
const edits = (input: string) => editsOfCall(call('edit', { input }), DONE);

/** The same change of a file in each form that oh-my-pi has had for it. */
const RENAMED: Readonly<Record<string, string>> = {
  'since 18.3': '*** Edit File: Größe/über uns.ts\n*** Find\nconst größe = 4;\n*** Replace\nconst größe = 9;\n',
  'with a reason': '*** Reason: it’s short\n*** Edit File: Größe/über uns.ts\n*** Find\nconst größe = 4;\n*** Replace\nconst größe = 9;',
  'with its own headers': '*** SM:EDIT "Größe/über uns.ts"\n*** SM:FIND\nconst größe = 4;\n*** SM:PUT\nconst größe = 9;\n',
  'with tags':
    '<SM:EDIT path="Größe/über uns.ts">\n<SM:FIND>\nconst größe = 4;\n</SM:FIND>\n<SM:PUT>\nconst größe = 9;\n</SM:PUT>\n</SM:EDIT>\n',
  'with tags on one line':
    '<SM:EDIT path="Größe/über uns.ts"><SM:FIND>const größe = 4;</SM:FIND><SM:PUT>const größe = 9;</SM:PUT></SM:EDIT>',
  'with signs': '§Größe/über uns.ts\nconst größe = ⟪4│9⟫;\n',
  'with signs and a rewrite': '§Größe/über uns.ts\r\nconst größe = 4;\r\n»\r\nconst größe = 9;\r\n',
  'with brackets': '[Größe/über uns.ts]\n«\nconst größe = 4;\n»\nconst größe = 9;\n',
};

describe('Patches of oh-my-pi that quote the text to replace', () => {
  for (const [form, input] of Object.entries(RENAMED)) {
    it(`name their file and say what changed: ${form}`, () => {
      assert.deepEqual(filesOfPatch(input), ['Größe/über uns.ts']);
      const [edit, ...others] = edits(input);
      assert.deepEqual(others, []);
      assert.ok(edit);
      assert.deepEqual([edit.file, edit.isCertain], ['Größe/über uns.ts', true]);
      assert.deepEqual(edit.replacements, [{ before: 'const größe = 4;', after: 'const größe = 9;', all: false }]);
    });
  }

  it('have several files, several changes of a file, and changes of all matches', () => {
    const input =
      '*** SM:EDIT a.ts\n*** SM:FIND\none\n*** SM:PUT\n1\n*** SM:EDIT\n*** SM:FIND\ntwo\n*** SM:AFTER\n2½\n*** SM:EDIT my b.ts all\n*** SM:FIND\ndebug(\n*** SM:PUT\ntrace(\n';
    assert.deepEqual(
      edits(input).map(({ file, replacements }) => [file, replacements]),
      [
        ['a.ts', [{ before: 'one', after: '1', all: false }]],
        ['a.ts', [{ before: 'two', after: 'two\n2½', all: false }]],
        ['my b.ts', [{ before: 'debug(', after: 'trace(', all: true }]],
      ],
    );
    assert.deepEqual(filesOfPatch(input), ['a.ts', 'my b.ts']);
  });

  it('delete lines, and add lines where they stand', () => {
    assert.deepEqual(edits('*** Edit File: a\n*** Find\none\ntwo\n*** Replace\n')[0]?.replacements, [
      { before: 'one\ntwo\n', after: '', all: false },
    ]);
    assert.deepEqual(edits('§*a\n\tlimit;\n＋\tdelay;\n\tlast;')[0]?.replacements, [
      { before: '\tlimit;\n\tlast;', after: '\tlimit;\n\tdelay;\n\tlast;', all: true },
    ]);
  });

  it('have only the lines that they add if they leave lines out', () => {
    const [edit] = edits('*** Edit File: a\n*** Find\nfirst();\n…\nlast();\n*** Replace\nfirst();\n…\nmore();\nlast();\n');
    assert.deepEqual(edit?.replacements, []);
    assert.deepEqual(edit.hunks, [{ lines: [{ sign: '+', text: 'more();' }] }]);
  });

  it('don’t take text for markers of another form', () => {
    const input = '*** Edit File: terms.md\n*** Find\n§1 Scope\n*** Replace\n§1 Extent\n<SM:EDIT path="x">\n[y]\n';
    assert.deepEqual(filesOfPatch(input), ['terms.md']);
    assert.deepEqual(filesOfPatch('[list]\nof notes'), []);
  });
});

describe('Rows and lists of files', () => {
  const message = (name: string, args: Record<string, unknown>) => ({
    type: 'message',
    id: 'a',
    message: { role: 'assistant', content: [call(name, args)] },
  });

  it('name the files of patches', () => {
    const rowOf = (input: string) => describeToolCall('edit', { input }, { home: '', cwd: '/boat' });
    for (const input of Object.values(RENAMED)) assert.equal(rowOf(input), '[edit: Größe/über uns.ts]');
    assert.equal(
      rowOf('*** Begin Patch\n*** Update File: /boat/a\n@@\n-x\n+y\n*** Add File: b\n+z\n*** End Patch'),
      '[edit: a and 1 more]',
    );
    assert.equal(rowOf('[/boat/a#b.ts#A1B2]\nPUT 1.=1:\n+x'), '[edit: a#b.ts]');
  });

  it('have the files that code in a cell writes', () => {
    const code = [
      'await tool.write({ path: "src/größe.ts", content: `a\\nb` });',
      "write('notes/日本.md', 'x')",
      'tool.edit({input: `[src/deck.ts#CB98]\\nPUT 1.=1:\\n+x`})',
      'tool.write({"path": \'single.ts\', "content": "it\\\'s"})',
      'stream.write("not a file"); tool.write({ path: name, content }); write("proc://4/kill", "")',
      'tool.write(path="""python.py""", content=r"\\d")',
    ].join('\n');
    assert.deepEqual(
      touchesOfLine(message('eval', { language: 'js', code })),
      ['src/größe.ts', 'notes/日本.md', 'src/deck.ts', 'single.ts', 'python.py'].map((file) => ({ file, kind: 'write' })),
    );
    assert.deepEqual(
      editsOfCall(call('eval', { code }), DONE).map(({ file, text, isCertain }) => [file, text, isCertain]),
      [
        ['src/größe.ts', 'a\nb', false],
        ['notes/日本.md', 'x', false],
        ['src/deck.ts', undefined, false],
        ['single.ts', "it's", false],
        ['python.py', '\\d', false],
      ],
    );
  });

  it('have no text that the code makes', () => {
    for (const content of ['`a${b}`', '"a" + b', '"a".trim()', '"\\u00e9"', 'f"a"', '"unended'])
      assert.deepEqual(editsOfCall(call('eval', { code: `tool.write({ path: "a", content: ${content} })` }), DONE), [], content);
  });
});
