import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { basename, dirname, extname, join } from 'node:path';
import {
  defined,
  EXPORT_FORMATS,
  expandPath,
  exportParts,
  exportSession,
  FORMAT_FACTS,
  isWithin,
  sanitizeText,
  type ExportFormat,
  type ExportResult,
} from '../../core/index';
import { locate, type Located } from '../../memory/refs';
import { Refusal, RequestError } from '../../memory/requestError';
import { textOption, type Answer, type Call, type Options } from '../command';
import { line } from '../output';

/** Exports a session or a branch to a file, or to standard output. */
export async function exportCommand(call: Call, [ref = '']: readonly string[], options: Options): Promise<Answer> {
  const output = textOption(options, 'output');
  const format = formatOf(textOption(options, 'format'), output);
  const located = await locate(call.memory, ref);
  if (output === undefined) return toStandardOutput(call, located, format, options);
  const target = expandPath(output, homedir(), process.cwd());
  if (await isInRoot(call, target)) throw new Refusal(`Exports don’t go into folders of sessions: ${target}`);
  const result = await write(call, located, { format, target }, options);
  const count = result.redacted.filter(({ kept }) => !kept).length;
  return {
    json: { path: result.path, bytes: result.bytes, format, redacted: result.redacted, problems: result.problems },
    lines: [line(result.path)],
    found: true,
    ...(count > 0 ? { note: `Replaced as secrets or personal data: ${String(count)} ${count === 1 ? 'text' : 'texts'}.` } : {}),
  };
}

/** True for a path in a folder of sessions, by its name or through links. */
async function isInRoot({ memory }: Call, target: string): Promise<boolean> {
  const resolved = async (path: string): Promise<string> => realpath(path).catch(() => path);
  const places = [target, join(await resolved(dirname(target)), basename(target))];
  const roots = (await memory.roots()).map(({ path }) => path);
  const folders = [...roots, ...(await Promise.all(roots.map(resolved)))];
  return places.some((place) => folders.some((folder) => isWithin(place, folder, process.platform)));
}

/** @throws {RequestError} */
function formatOf(named: string | undefined, output: string | undefined): ExportFormat {
  if (named === undefined) {
    const extension = output === undefined ? '' : extname(output).slice(1).toLowerCase();
    return EXPORT_FORMATS.find((format) => FORMAT_FACTS[format].extension === extension) ?? 'markdown';
  }
  const format = EXPORT_FORMATS.find((one) => one === named || FORMAT_FACTS[one].extension === named);
  if (format) return format;
  throw new RequestError(`There is no format “${named}”. The formats are: ${EXPORT_FORMATS.join(', ')}`);
}

const write = (
  { signal }: Call,
  { session, entryId }: Located,
  { format, target }: { readonly format: ExportFormat; readonly target: string },
  options: Options,
): Promise<ExportResult> =>
  exportSession(session, { format, target, redact: options['redact'] !== false, signal, ...defined({ entryId }) });

/** Terminals get the text without control characters, which files and other programs get as it is. */
async function toStandardOutput(call: Call, { session, entryId }: Located, format: ExportFormat, options: Options): Promise<Answer> {
  const folder = await mkdtemp(join(tmpdir(), 'session-tree-'));
  const end = (): Promise<void> => rm(folder, { recursive: true, force: true });
  try {
    const { signal } = call;
    const { parts, facts } = await exportParts(session, {
      format,
      folder,
      redact: options['redact'] !== false,
      signal,
      ...defined({ entryId }),
    });
    if (options['json'] !== true) return { json: {}, lines: [], found: true, parts: call.isTerminal ? sanitized(parts) : parts, end };
    let text = '';
    for await (const part of parts) text += part;
    const { redacted, problems } = facts();
    return { json: { path: null, text, format, redacted, problems }, lines: [], found: true, end };
  } catch (error) {
    await end();
    throw error;
  }
}

async function* sanitized(parts: AsyncIterable<string>): AsyncGenerator<string, void> {
  for await (const part of parts) yield sanitizeText(part);
}
