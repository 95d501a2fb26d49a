// Runs in OpenClaw's home, with OpenClaw's own code. Arguments: the package, then one of
//   change        forks and rewinds sessions, and continues some under new IDs
//   read <file>   writes what OpenClaw's reader says about its sessions into the file
//   archive       puts the transcripts aside that no program uses
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const [, , openclaw, step, file] = process.argv;
const dist = join(openclaw, 'dist');
const load = (path) => import(pathToFileURL(path).href);
const { listSessionEntries, loadTranscriptEventsSync, patchSessionEntry } = await load(
  join(dist, 'plugin-sdk', 'session-store-runtime.js'),
);
const { SessionManager } = await load(join(dist, 'plugin-sdk', 'agent-sessions.js'));

const agentId = 'main';
const storePath = join(homedir(), '.openclaw', 'agents', agentId, 'sessions', 'sessions.json');
const sessions = listSessionEntries({ agentId, readOnly: true });
const targetOf = (sessionKey, sessionId) => ({ agentId, sessionKey, sessionId, storePath });

/** Finds a function that no published module exports. The names of its files end in hashes. */
async function internal(prefix, name) {
  for (const entry of readdirSync(dist).filter((one) => one.startsWith(prefix) && one.endsWith('.mjs'))) {
    const path = join(dist, entry);
    const exported = new RegExp(`\\b${name} as (\\w+)`).exec(readFileSync(path, 'utf8'))?.[1];
    const found = exported && (await load(path))[exported];
    if (typeof found === 'function' && found.name === name) return found;
  }
  throw new Error(`OpenClaw has no ${name}.`);
}

async function change() {
  const fork = await internal('session-accessor-', 'forkSessionAtMessage');
  const rewind = await internal('session-accessor-', 'rewindSessionToMessage');
  const idle = sessions.filter(({ entry }) => entry.status !== 'running' && !entry.spawnedBy).slice(0, 12);
  for (const [place, { sessionKey, entry }] of idle.entries()) {
    const branch = SessionManager.open(targetOf(sessionKey, entry.sessionId)).getBranch();
    const asked = branch.findLast(({ type, message }) => type === 'message' && message.role === 'user');
    const at = { agentId, sessionKey, storePath, entryId: asked?.id };
    if (place % 3 === 2 || !asked) {
      const sessionId = `01a1fa45-0000-7000-9000-${String(place).padStart(12, '0')}`;
      await patchSessionEntry({ ...at, update: () => ({ sessionId, previousSessionId: entry.sessionId }) });
      const next = SessionManager.open(targetOf(sessionKey, sessionId));
      next.appendMessage({ role: 'user', content: [{ type: 'text', text: 'Next' }], timestamp: Date.now() });
      await next.flushPendingPersistence();
    } else {
      const { status } = await (place % 3 === 0 ? fork({ ...at, targetKey: `agent:${agentId}:fork:${place}` }) : rewind(at));
      if (status !== 'created') throw new Error(`OpenClaw answered ${status}.`);
    }
  }
}

function answerOf({ sessionKey, entry }) {
  const { sessionId } = entry;
  const target = targetOf(sessionKey, sessionId);
  const manager = SessionManager.open(target);
  const leafId = manager.getLeafId();
  const entries = manager.getEntries();
  const contexts = entries.map(({ id }) => {
    manager.branch(id);
    return { id, path: manager.getBranch().map((one) => one.id), ...manager.buildSessionContext() };
  });
  return {
    sessionKey,
    entry,
    lines: loadTranscriptEventsSync(target),
    earlierLines: entry.previousSessionId && loadTranscriptEventsSync(targetOf(sessionKey, entry.previousSessionId)),
    leafId,
    name: manager.getSessionName(),
    ids: entries.map(({ id }) => id),
    contexts,
  };
}

async function archive() {
  const putAside = await internal('session-cold-storage-', 'runSessionColdStorageMaintenance');
  // A negative age: the transcripts have just been imported.
  const { archivedTranscripts } = await putAside({
    config: { session: { maintenance: { coldStorage: { enabled: true, afterDays: -1 } } } },
  });
  if (archivedTranscripts === 0) throw new Error('OpenClaw has put nothing aside.');
}

if (step === 'change') await change();
else if (step === 'read') writeFileSync(file, JSON.stringify(sessions.map(answerOf)));
else await archive();
process.exit();
