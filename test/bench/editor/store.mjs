// Generates a store with many sessions for measurements of an editor.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

export const SESSIONS = 10_000;
export const PROJECTS = 40;

/** @param sessions a multiple of 200 */
export async function writeSessions(root, sessions = SESSIONS) {
  for (let number = 0; number < PROJECTS; number++) await mkdir(join(root, `--work-project${number}--`), { recursive: true });
  for (let index = 0; index < sessions; index += 200) {
    await Promise.all(
      Array.from({ length: 200 }, (_, more) => writeOne(root, (index + more) % PROJECTS, Math.floor((index + more) / PROJECTS))),
    );
  }
}

export function pathOf(root, projectNumber, number) {
  return join(root, `--work-project${projectNumber}--`, `2026-01-02T08-00-00-000Z_${projectNumber}-${number}.jsonl`);
}

/** Writes a session. The lowest numbers of a project are the newest sessions. */
async function writeOne(root, projectNumber, number) {
  await writeFile(pathOf(root, projectNumber, number), sessionText(projectNumber, number));
}

/** Returns a session with five entries. */
export function sessionText(projectNumber, number) {
  const start = Date.parse('2026-03-01T08:00:00.000Z') - (number * PROJECTS + projectNumber) * 60_000;
  const entry = (index, message) => ({
    type: 'message',
    id: `e${index}`,
    parentId: index === 1 ? null : `e${index - 1}`,
    timestamp: new Date(start + index * 1000).toISOString(),
    message: { ...message, timestamp: start + index * 1000 },
  });
  const text = (value) => [{ type: 'text', text: value }];
  const usage = { input: 4, output: 120, cacheRead: 9000, cacheWrite: 400, totalTokens: 9524, cost: { total: 0.006 } };
  const lines = [
    {
      type: 'session',
      version: 3,
      id: `s${projectNumber}-${number}`,
      timestamp: new Date(start).toISOString(),
      cwd: `/work/project${projectNumber}`,
    },
    entry(1, { role: 'user', content: text(`Please do ${projectNumber} ${number} now`) }),
    entry(2, {
      role: 'assistant',
      content: [...text('Looking.'), { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'src/a.ts' } }],
      provider: 'anthropic',
      model: 'claude-x',
      usage,
      stopReason: 'toolUse',
    }),
    entry(3, { role: 'toolResult', toolCallId: 'c1', toolName: 'read', content: text('const a = 1;\n'.repeat(120)), isError: false }),
    entry(4, {
      role: 'assistant',
      content: text(`answer ${projectNumber} ${number}`),
      provider: 'anthropic',
      model: 'claude-x',
      usage,
      stopReason: 'stop',
    }),
    entry(5, { role: 'user', content: text('Thanks.') }),
  ];
  return lines.map((each) => `${JSON.stringify(each)}\n`).join('');
}

/** Returns the entry with a number, a child of the previous one if there is one. */
export function line(number) {
  const now = new Date();
  return `${JSON.stringify({ type: 'message', id: `e${number}`, parentId: number === 1 ? null : `e${number - 1}`, timestamp: now.toISOString(), message: { role: 'user', content: [{ type: 'text', text: `Appended ${number}.` }], timestamp: now.getTime() } })}\n`;
}
