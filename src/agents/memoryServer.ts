/** Offers the MCP server to the editor's own agents, without a settings file. */
import * as vscode from 'vscode';
import type { RootEnvironment } from '../core/index';
import type { MemoryAccess } from './memoryAccess';

/** The id in `package.json`. */
const ID = 'sessionTree.memory';

/** @param version of the extension @param folders returns the ones that this window adds */
export function offerMemoryServer(
  access: MemoryAccess,
  version: string,
  folders: () => Pick<RootEnvironment, 'added' | 'projects'>,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: vscode.McpServerDefinitionProvider<vscode.McpStdioServerDefinition> = {
    onDidChangeMcpServerDefinitions: changed.event,
    provideMcpServerDefinitions: () =>
      access.settings().isEnabled
        ? [
            new vscode.McpStdioServerDefinition(
              'Session Tree',
              process.execPath,
              [access.program('mcp.js'), '--settings', access.files.settings, '--window', JSON.stringify(folders())],
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
