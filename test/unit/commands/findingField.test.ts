import assert from 'node:assert/strict';
import { fieldName } from '../../../src/commands/export/findingField';

describe('The review of an export', () => {
  it('names the field of a finding, and not the way to it', () => {
    for (const [field, name] of [
      ['message.content', ''],
      ['message.content[0].text', ''],
      ['content[0].text', ''],
      ['message.content[12].arguments.command', 'command'],
      ['message.content[1].arguments.edits[0].newText', 'edits[0].newText'],
      ['message.content[0].thinking', 'thinking'],
      ['message.details.diff', 'details.diff'],
      ['message.command', 'command'],
      ['summary', 'summary'],
      ['cwd', 'cwd'],
    ] as const)
      assert.equal(fieldName(field), name, field);
  });
});
