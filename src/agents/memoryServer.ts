/** Offers the MCP server to the editor's own agents, without a settings file. */
import * as vscode from 'vscode';
import type { RootList } from '../watch/rootList';
import type { MemoryAccess } from './memoryAccess';

/** The id in `package.json`. */
const ID = 'sessionTree.memory';

/** @param version of the extension @param roots of this window, whose sessions the server answers about */
export function offerMemoryServer(access: MemoryAccess, version: string, roots: RootList): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition> = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () =>
      access.settings().isEnabled
        ? [
            new vscode.McpStdioServerDefinition(
              'Session Tree',
              process.execPath,
              [access.program('mcp.js'), '--settings', access.files.settings, '--window', JSON.stringify(roots.ofWindow())],
              { ELECTRON_RUN_AS_NODE: '1' },
              version,
            ),
          ]
        : [],
    resolveMcpServerDefinition: async (server) => {
      await access.write();
      return server;
    },
  };
  return vscode.Disposable.from(
    changed,
    access.onDidChange(() => changed.fire()),
    vscode.workspace.onDidChangeWorkspaceFolders(() => changed.fire()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => changed.fire()),
    vscode.lm.registerMcpServerDefinitionProvider(ID, provider),
  );
}
