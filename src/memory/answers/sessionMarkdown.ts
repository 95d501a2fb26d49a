/** A session or a branch as Markdown without secrets and personal data, as it's exported. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { defined, exportParts } from '../../core/index';
import type { Memory } from '../memory';
import type { Located } from '../refs';

/** UTF-16 units of a text; the rest is left out. */
const MAX_LENGTH = 2_000_000;

export async function sessionMarkdown(
  memory: Memory,
  { session, entryId }: Located,
): Promise<{ readonly text: string; readonly isCut: boolean }> {
  const folder = await mkdtemp(join(tmpdir(), 'session-tree-'));
  try {
    const { signal } = memory;
    const { parts } = await exportParts(session, { format: 'markdown', folder, redact: true, ...defined({ entryId, signal }) });
    let text = '';
    for await (const part of parts) {
      text += part;
      if (text.length > MAX_LENGTH) return { text: text.slice(0, MAX_LENGTH), isCut: true };
    }
    return { text, isCut: false };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
