import assert from 'node:assert/strict';
import { contentPolicy } from '../../../src/context/host/panel/contentPolicy';

describe('Content security policy of the context view’s page', () => {
  it('allows its own script and styles, and inline images; nothing else', () => {
    const policy = new Map(
      contentPolicy('NONCE', 'vscode-resource:')
        .split('; ')
        .map((rule) => [rule.split(' ')[0], rule.split(' ').slice(1).join(' ')]),
    );
    assert.deepEqual(Object.fromEntries(policy), {
      'default-src': "'none'",
      'script-src': "'nonce-NONCE'",
      'style-src': 'vscode-resource:',
      'img-src': 'data:',
      'base-uri': "'none'",
      'form-action': "'none'",
    });
  });
});
