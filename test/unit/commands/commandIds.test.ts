import assert from 'node:assert/strict';
import { COMMAND_IDS } from '../../../src/commands/commandIds';
import { runCommands } from './runCommands';

describe('The ids of commands', () => {
  it('are those that have a handler', () => {
    assert.deepEqual([...COMMAND_IDS].sort(), [...runCommands().ids].sort());
  });
});
