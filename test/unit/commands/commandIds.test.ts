import assert from 'node:assert/strict';
import { COMMAND_IDS, RARE_COMMAND_IDS } from '../../../src/commands/commandIds';
import { runCommands } from './runCommands';

describe('The ids of commands', () => {
  it('are those that have a handler, in the table that is loaded for them', () => {
    const sorted = (ids: readonly string[]): string[] => [...ids].sort();
    assert.deepEqual([COMMAND_IDS, RARE_COMMAND_IDS].map(sorted), runCommands().ids.map(sorted));
  });
});
