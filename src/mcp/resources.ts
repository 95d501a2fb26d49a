/** Sessions as resources: the Markdown of a session, or of a branch up to an entry, by its reference. */
import { ResourceTemplate, type McpServer } from '@modelcontextprotocol/server';
import { sessionMarkdown } from '../memory/answers/sessionMarkdown';
import type { Memory } from '../memory/memory';
import { locateKnown, RefMaker } from '../memory/refs';
import { cleanBlock, Quotation } from '../memory/tools/quotation';

const BEGINNING = 'session-tree://session/';
const MIME = 'text/markdown';
/** Sessions that are listed, the newest first; all others can be read. */
const MAX_LISTED = 50;
const MAX_TITLE = 100;

/** The address of a session's Markdown. @param ref a reference of an answer, or a path */
export const resourceAddress = (ref: string): string => `${BEGINNING}${encodeURIComponent(ref)}`;

/** @param client returns the name of the program that asks */
export function registerResources(server: McpServer, memory: Memory, client: () => string): void {
  const template = new ResourceTemplate(`${BEGINNING}{ref}`, { list: async () => ({ resources: await listed(memory) }) });
  const config = {
    title: 'Session as Markdown',
    description: 'A recorded session, or the branch up to an entry, as Markdown without secrets. ref: a reference of an answer.',
    mimeType: MIME,
  };
  server.registerResource('session', template, config, async (uri) => {
    await memory.current(MAX_WAIT);
    const ref = decodeURIComponent(uri.href.slice(BEGINNING.length));
    const { text, isCut } = await sessionMarkdown(memory, await locateKnown(memory, ref));
    const quotation = new Quotation();
    const block = quotation.block(text);
    const answer = [quotation.notice, block, ...(isCut ? ['Cut. For the rest: read_branch.'] : [])].join('\n');
    await memory.record({ client: client(), tool: 'resource', input: { ref }, bytes: Buffer.byteLength(answer), isRefused: false });
    return { contents: [{ uri: uri.href, mimeType: MIME, text: answer }] };
  });
}

/** Milliseconds that an answer waits for files that are being read. */
const MAX_WAIT = 900;

async function listed(memory: Memory): Promise<{ uri: string; name: string; mimeType: string }[]> {
  await memory.current(MAX_WAIT);
  const rows = await memory.rows();
  const refs = new RefMaker(rows);
  const secrets = await memory.secrets();
  const resources: { uri: string; name: string; mimeType: string }[] = [];
  for (const row of rows.slice(0, MAX_LISTED)) {
    const name = cleanBlock(await secrets.text(row.title)).replace(/\s+/g, ' ');
    resources.push({ uri: resourceAddress(refs.of(row)), name: name.slice(0, MAX_TITLE), mimeType: MIME });
  }
  return resources;
}
