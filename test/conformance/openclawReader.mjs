// Runs in OpenClaw's home: writes what OpenClaw's own reader says about its sessions into a file. Arguments: the package, the file.
import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const plugin = (name) => import(pathToFileURL(join(process.argv[2], 'dist', 'plugin-sdk', name)).href);
const { listSessionEntries, loadTranscriptEventsSync } = await plugin('session-store-runtime.js');
const { SessionManager } = await plugin('agent-sessions.js');

const agentId = 'main';
const storePath = join(homedir(), '.openclaw', 'agents', agentId, 'sessions', 'sessions.json');
const sessions = listSessionEntries({ agentId, readOnly: true }).map(({ sessionKey, entry }) => {
  const { sessionId, label, displayName, status } = entry;
  const target = { agentId, sessionKey, sessionId, storePath };
  const manager = SessionManager.open(target);
  const leafId = manager.getLeafId();
  const entries = manager.getEntries();
  const contexts = entries.map(({ id }) => {
    manager.branch(id);
    return { id, path: manager.getBranch().map((one) => one.id), ...manager.buildSessionContext() };
  });
  return {
    sessionKey,
    sessionId,
    label,
    displayName,
    status,
    lines: loadTranscriptEventsSync(target),
    leafId,
    name: manager.getSessionName(),
    ids: entries.map(({ id }) => id),
    contexts,
  };
});
writeFileSync(process.argv[3], JSON.stringify(sessions));
process.exit();
