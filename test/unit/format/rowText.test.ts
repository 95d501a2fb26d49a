import assert from 'node:assert/strict';
import { describeEntry, describeMessage, describeToolCall } from '../../../src/core/format/entry/rowText';
import { session } from '../../fixtures/build';
import { read } from '../../fixtures/read';

const HOME = '/home/me';

describe('The text of a row', () => {
  it('describes a tool call as pi does', () => {
    for (const [name, args, row] of [
      ['read', { path: '/home/me/a', offset: 10, limit: 20 }, '[read: ~/a:10-29]'],
      ['read', { file_path: 'b', offset: 3 }, '[read: b:3]'],
      ['read', { path: 'b', limit: 5 }, '[read: b:1-5]'],
      ['write', { path: '/x' }, '[write: /x]'],
      ['edit', {}, '[edit: ]'],
      ['bash', { command: 'a\n\tb' }, '[bash: a  b]'],
      ['bash', { command: 'x'.repeat(51) }, `[bash: ${'x'.repeat(50)}...]`],
      ['grep', { pattern: 'p' }, '[grep: /p/ in .]'],
      ['find', { pattern: '*', path: '/home/me' }, '[find: * in ~]'],
      ['ls', undefined, '[ls: .]'],
      ['other', { a: 1 }, '[other: {"a":1}]'],
      ['other', { a: 'y'.repeat(40) }, `[other: {"a":"${'y'.repeat(34)}...]`],
      ['other', undefined, '[other: {}]'],
      ['read', { path: { odd: 1 } }, '[read: {"odd":1}]'],
    ] as const) {
      assert.equal(describeToolCall(name, args, HOME), row);
    }
  });

  it('describes a result by its call, which came before', () => {
    assert.deepEqual(
      read(session().tool('read', { path: '/home/me/x' })).entries.map(({ text }) => text),
      ['assistant: (no content)', '[read: ~/x]'],
    );
  });

  it('has the role and the text of a message, in one line of at most 200 characters', () => {
    assert.equal(describeMessage({ role: 'user', content: ` a\n\tb ${'c'.repeat(300)}` }, undefined).length, 'user: '.length + 199);
    assert.equal(
      describeMessage({ role: 'assistant', content: [], errorMessage: 'e'.repeat(100) }, undefined),
      `assistant: ${'e'.repeat(80)}`,
    );
    assert.equal(describeMessage({ role: 'pythonExecution', code: 'x = 1' }, undefined), '[python]: x = 1');
    assert.equal(describeMessage({ role: 'z'.repeat(1_000) }, undefined).length, 42);
  });

  it('names any other entry', () => {
    assert.equal(describeEntry({ type: 'never seen' }), '[never seen]');
    assert.equal(describeEntry({ type: 'constructor' }), '[constructor]');
    assert.equal(describeEntry({ type: 'compaction', tokensBefore: 12_600 }), '[compaction: 13k tokens]');
    assert.equal(describeEntry({ type: 'model_change', model: 'a/b' }), '[model: a/b]');
    assert.equal(describeEntry({ type: 'ttsr_injection', injectedRules: ['r', 's'] }), '[rules: r, s]');
  });

  it('stays small for lines of any size', () => {
    const huge = 'x'.repeat(1_000_000);
    const found = read(
      session()
        .user(huge)
        .tool(huge, { [huge]: huge })
        .customMessage(huge, huge)
        .branchSummary(huge)
        .entry('ttsr_injection', { injectedRules: [huge] })
        .name(huge),
    );
    for (const head of found.entries) assert.ok(head.text.length < 1_000, head.type);
  });
});
