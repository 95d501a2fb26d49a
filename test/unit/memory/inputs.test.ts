import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { checkInput, INPUTS } from '../../../src/memory/tools/inputs';
import { TOOL_NAMES, TOOLS } from '../../../src/memory/tools/tools';

interface Contributed {
  readonly name: string;
  readonly modelDescription: string;
  readonly inputSchema: object;
  readonly icon: string;
  readonly toolReferenceName: string;
  readonly canBeReferencedInPrompt: boolean;
  readonly when: string;
}

describe('Arguments of the tools', () => {
  it('are the same for language model tools and for MCP, and so are their descriptions', () => {
    const { contributes } = JSON.parse(readFileSync(resolve('package.json'), 'utf8')) as {
      contributes: { languageModelTools: readonly Contributed[] };
    };
    assert.deepEqual(
      contributes.languageModelTools.map(({ name, modelDescription, inputSchema }) => ({ name, modelDescription, inputSchema })),
      TOOL_NAMES.map((name) => ({
        name: `sessionTree_${name}`,
        modelDescription: TOOLS[name].description,
        inputSchema: INPUTS[name],
      })),
    );
    for (const { icon, toolReferenceName, canBeReferencedInPrompt, when } of contributes.languageModelTools)
      assert.ok(
        /^\$\([\w-]+\)$/.test(icon) && toolReferenceName && canBeReferencedInPrompt && when === 'config.sessionTree.memory.enabled',
      );
  });

  it('are refused if they are missing, of another type, or out of bounds', () => {
    checkInput('search_sessions', { query: 'a', limit: 1, other: [] });
    const refused = [
      {},
      { query: 1 },
      { query: 'a'.repeat(8193) },
      { query: 'a', limit: 0 },
      { query: 'a', limit: 1.5 },
      { query: 'a', limit: '1' },
    ];
    for (const input of refused) assert.throws(() => checkInput('search_sessions', input), { name: 'RequestError' }, JSON.stringify(input));
    assert.throws(() => checkInput('why_line', { file: '', line: 1 }), /“file” of why_line must be a string of 1 to 8192 characters/);
  });
});
