/**
 * The files of a Hugging Face dataset of sessions, in the form that pi-share-hf uploads (https://github.com/badlogic/pi-share-hf):
 * the sessions as JSONL, an index of them, and the dataset's card.
 */
import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import type { SessionHeader } from '../../../format/entry/entry';
import { SessionError } from '../../../format/entry/problem';
import { jsonStrings, keysTo, STRINGS_OF_STEP, withStrings, type JsonString } from '../../../format/redact/jsonStrings';
import type { Session } from '../../../format/session/session';
import type { Steps } from '../../../format/session/steps';
import { fileError } from '../../io/fileErrors';
import { readAt } from '../../io/readAt';
import { openSessionBytes } from '../../read/bytes/sessionBytes';
import type { ExportResult } from '../exportSession';
import { exportNames } from './exportNames';
import type { FolderPage } from '../exportFormat';

/** The members that hold what providers encrypted: no redaction can look into them. */
const SIGNATURES = new Set(['thinkingSignature', 'thoughtSignature', 'textSignature', 'encrypted_content']);
const ANY_SIGNATURE = /"(?:thinkingSignature|thoughtSignature|textSignature|encrypted_content)"/;

/** Bytes that are read in one call. */
const CHUNK = 1024 * 1024;

/** The name that pi gives a session's file: a time and an id. */
const PI_NAME = /^\d{4}-\d{2}-\d{2}T\d{2}-\d{2}-\d{2}-\d{3}Z_[\w-]{1,64}\.jsonl$/;

/** Returns a line with signatures that are empty. */
export function* withoutSignatures(line: string): Steps<string> {
  if (!ANY_SIGNATURE.test(line)) return line;
  const strings = yield* jsonStrings(line);
  const values = new Map<JsonString, string>();
  for (const [index, string] of strings.entries()) {
    if (index % STRINGS_OF_STEP === 0) yield;
    if (!string.isKey && SIGNATURES.has(keysTo(string, Number.MAX_SAFE_INTEGER)?.at(-1) ?? '')) values.set(string, '');
  }
  return yield* withStrings(line, strings, values);
}

/**
 * Returns a name for each session: the file's name if pi gave it, so that it stays the same; else a name made from the
 * header.
 *
 * @param plain paths of files whose names give nothing away
 */
export function datasetNames(
  sessions: readonly { readonly path: string; readonly header: SessionHeader }[],
  plain: ReadonlySet<string>,
): string[] {
  const others = exportNames(
    sessions.map(({ header }) => header),
    'jsonl',
  );
  const taken = new Set<string>();
  return sessions.map(({ path }, position) => {
    const own = basename(path);
    const name = PI_NAME.test(own) && plain.has(path) && !taken.has(own.toLowerCase()) ? own : (others[position] ?? '');
    taken.add(name.toLowerCase());
    return name;
  });
}

/**
 * Returns the hash of the bytes of a session that were read: the file may have grown since, but the export has no later
 * bytes.
 *
 * @throws {SessionError} `changed` if the file is shorter now.
 */
export async function sourceHash({ path, size }: Pick<Session, 'path' | 'size'>, signal?: AbortSignal): Promise<string> {
  const { file } = await openSessionBytes(path).catch((error: unknown) => {
    throw fileError(error, path);
  });
  try {
    const hash = createHash('sha256');
    for (let offset = 0; offset < size; offset += CHUNK) {
      signal?.throwIfAborted();
      const length = Math.min(CHUNK, size - offset);
      const bytes = await readAt(file, offset, length);
      if (bytes.length < length)
        throw new SessionError('changed', 'The session was rewritten while it was exported. Export it again: {path}', { path });
      hash.update(bytes);
    }
    return hashText(hash.digest('hex'));
  } finally {
    await file.close();
  }
}

const hashText = (hex: string): string => `sha256:${hex}`;

/** Returns the index and the card. */
export function datasetFiles(files: readonly { readonly sourceHash: string; readonly exported: ExportResult }[]): FolderPage[] {
  const rows = files
    .map(({ sourceHash: source_hash, exported: { path, sha256 } }) => ({
      file: basename(path),
      source_hash,
      redacted_hash: hashText(sha256),
    }))
    .sort((a, b) => (a.file < b.file ? -1 : 1));
  return [
    { name: 'manifest.jsonl', text: rows.map((row) => `${JSON.stringify(row)}\n`).join('') },
    { name: 'README.md', text: card(rows.length) },
  ];
}

/** Returns the card in English, the language of such datasets. The person who uploads them chooses the license. */
const card = (count: number): string => `---
pretty_name: coding agent session traces
task_categories:
- text-generation
tags:
- agent-traces
- coding-agent
- pi-share-hf
language:
- en
- code
license: other
---

# Coding agent session traces

This dataset contains ${String(count)} redacted sessions of coding agents, exported with Pi Session Tree.

## Data description

Each \`*.jsonl\` file is one session. Each line is a session entry: the header, messages of the user and the model, tool calls and results, changes of the model, summaries, and data of extensions. Entries form a tree by \`id\` and \`parentId\`, so a file may hold several branches of work.

\`manifest.jsonl\` lists the files with their hashes, as [pi-share-hf](https://github.com/badlogic/pi-share-hf) does.

## Redaction and review

Secrets, home folders, user and host names, and e-mail addresses were replaced by placeholders such as \`[redacted:github-token-1]\`, the same one for the same text in all files. A person reviewed the list of findings. No model reviewed the sessions, and no scanner checked whether a secret is still valid. Images are preserved. The providers' signatures of reasoning are empty.

## Limitations

Redaction is best-effort. Sessions can still contain sensitive content.
`;
