// An extension that uses all of the API of this one, as any other extension does.
const vscode = require('vscode');

/** @param {vscode.ExtensionContext} context */
async function activate(context) {
  /** @type {vscode.Extension<import('../../src/api').SessionTreeApi> | undefined} */
  const extension = vscode.extensions.getExtension('pi-session-tree.pi-session-tree');
  const api = await extension?.activate();
  if (api?.version !== 1) throw new Error('This version of the API isn’t known.');
  /** @type {string[]} */
  const changes = [];
  context.subscriptions.push(
    api.onDidChangeSessions(({ changed, removed }) => changes.push(...changed, ...removed)),
    vscode.commands.registerCommand('sessionTreeSample.report', async ({ path, file, entryId }) => {
      const session = await api.readSession(path);
      const [body] = await api.readBodies(session, [entryId]);
      const { messages, sources } = await api.context(session);
      const { state } = await api.digest(session, entryId);
      const SessionManager = await api.sessionManager();
      return {
        changes,
        rows: (await api.sessions()).filter((row) => row.path === path).map(({ title }) => title),
        heads: session.entries.length,
        body: body?.type,
        messages: messages.length === sources.length ? messages.length : -1,
        hits: (await api.search('needle', { limit: 100 })).filter((hit) => hit.path === path).length,
        state,
        origins: (await api.lineOrigins(file)).map((origin) => [origin.from, origin.to, origin.path === path]),
        text: (await api.fileAt(file, { path, entryId }))?.text,
        files: (await api.filesAt({ path, entryId })).map((at) => [at.file, at.text]),
        leaf: (await SessionManager.open(path)).getLeafId(),
      };
    }),
  );
}

module.exports = { activate };
