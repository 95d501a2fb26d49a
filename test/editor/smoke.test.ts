import * as assert from 'node:assert/strict';
import * as vscode from 'vscode';

describe('the editor', () => {
  it('is a VS Code the extension supports, and the extension is awake @oldest', async () => {
    console.log(`      VS Code ${vscode.version}, Node ${process.versions.node}, ${process.platform}`);
    assert.ok(Number(vscode.version.split('.')[1]) >= 103, vscode.version);

    const extension = vscode.extensions.getExtension('pi-session-tree.pi-session-tree');
    assert.ok(extension, 'the extension is not there');
    await extension.activate();
    assert.equal(extension.isActive, true);
  });
});
