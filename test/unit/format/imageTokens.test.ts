import assert from 'node:assert/strict';
import { imageTokens } from '../../../src/core/format/context/imageTokens';

const tokens = (width: number, height: number, modelId: string): number => imageTokens({ width, height }, { provider: 'p', modelId });

describe('Tokens of an image', () => {
  it('are a 750th of its pixels for Claude, at most 1,600, or 4,784 for newer Opus', () => {
    assert.deepEqual(
      ['claude-sonnet-4-5', 'anthropic/claude-opus-4.1', 'us.anthropic.claude-haiku-4-5'].map((id) => tokens(200, 200, id)),
      [54, 54, 54],
    );
    assert.equal(tokens(1000, 1000, 'claude-x'), 1334);
    assert.equal(tokens(4000, 3000, 'claude-x'), 1600);
    assert.deepEqual([tokens(2000, 1500, 'claude-opus-4-7'), tokens(9000, 9000, 'claude-opus-4.8')], [4000, 4784]);
    assert.equal(tokens(15_680, 750, 'claude-x'), 157, 'shrunk to 1,568 pixels');
  });

  it('are those of the tiles or patches for models of OpenAI', () => {
    assert.equal(tokens(1024, 1024, 'gpt-4o'), 765);
    assert.equal(tokens(2048, 4096, 'openai/gpt-4.1'), 1105);
    assert.equal(tokens(1024, 1024, 'gpt-5'), 630);
    assert.equal(tokens(1024, 1024, 'o3'), 675);
    assert.equal(tokens(1024, 1024, 'gpt-4o-mini'), 25_501);
    assert.equal(tokens(1024, 1024, 'gpt-4.1-mini'), 1659);
    assert.equal(tokens(4096, 4096, 'o4-mini'), 2642);
  });

  it('are 258 for a small image and each tile for Gemini', () => {
    assert.deepEqual([tokens(384, 384, 'gemini-2.5-pro'), tokens(1024, 700, 'google/gemini-3-flash')], [258, 516]);
  });

  it('are pi’s estimate for other models and images of unknown size', () => {
    assert.deepEqual(
      [tokens(10, 10, 'llama'), imageTokens(undefined, { provider: 'p', modelId: 'gpt-4o' }), imageTokens({ width: 1, height: 1 }, null)],
      [1200, 1200, 1200],
    );
  });
});
