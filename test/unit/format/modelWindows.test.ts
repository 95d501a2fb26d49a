import assert from 'node:assert/strict';
import { contextWindow } from '../../../src/core/format/context/modelWindows';

describe('The context window of a model', () => {
  it('is known for models of today, by provider', () => {
    const known = [
      ['anthropic', 'claude-opus-4-5', 200_000],
      ['openai', 'gpt-4o', 128_000],
      ['openai-codex', 'gpt-5.5', 272_000],
    ] as const;
    for (const [provider, modelId, tokens] of known) assert.equal(contextWindow({ provider, modelId }), tokens, modelId);
  });

  it('is that of its provider where they differ, and the same with all others', () => {
    assert.equal(contextWindow({ provider: 'anthropic', modelId: 'claude-opus-4-6' }), 1_000_000);
    assert.equal(contextWindow({ provider: 'my-proxy', modelId: 'claude-opus-4-6' }), 1_000_000);
    assert.equal(contextWindow({ provider: 'xai', modelId: 'grok-4.5' }), 500_000);
    assert.equal(contextWindow({ provider: 'my-proxy', modelId: 'gpt-6-sol' }), undefined, 'providers differ');
  });

  it('is known for models that the newest version no longer has', () => {
    assert.equal(contextWindow({ provider: 'anthropic', modelId: 'claude-3-5-sonnet-20241022' }), 200_000);
  });

  it('isn’t known for other models, of whatever name', () => {
    for (const modelId of ['', 'größe', '__proto__', 'constructor', 'toString']) {
      assert.equal(contextWindow({ provider: 'anthropic', modelId }), undefined);
      assert.equal(contextWindow({ provider: modelId, modelId: 'gpt-6-sol' }), undefined);
    }
  });
});
