/** Sessions and branches as readable documents, kept true while they are open. */
import * as vscode from 'vscode';
import { DOCUMENT_SCHEME, type SessionRef } from '../contract';
import { inlineText, commonAncestor, requireEntry, SessionError, sessionToMarkdown, sideToMarkdown, uiError, uiLine, type MarkdownOptions, type Session } from '../core/index';
import { localizeProblem } from '../ui/localize';
import { documentKey, documentUri, parseDocumentUri, type DocumentRef } from './documentUri';

export interface SessionDocumentsOptions {
  readonly session: (path: string) => Promise<Session>;
}

/** The editor's own preview gets slow above this, in bytes. */
const MAX_BYTES = 1024 * 1024;
/** Characters of a side on the tab of a comparison. */
const MAX_SIDE_LENGTH = 32;

/** As files that can't be written: so the editor opens them again after a reload of the window, which it does for no other documents. */
export class SessionDocuments implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly didChange = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.didChange.event;
  /** When sessions were last heard of, in milliseconds since 1970: by this the editor tells whether to read a document again. */
  private readonly times = new Map<string, number>();
  private readonly began = Date.now();
  private readonly registration: vscode.Disposable;

  constructor(private readonly options: SessionDocumentsOptions) {
    this.registration = vscode.workspace.registerFileSystemProvider(DOCUMENT_SCHEME, this, { isReadonly: true, isCaseSensitive: true });
  }

  dispose(): void {
    this.registration.dispose();
    this.didChange.dispose();
  }

  /**
   * Opens the branch of an entry, or the active branch, as source or in the editor's markdown preview.
   *
   * @throws {SessionError} `unknown-entry`, and as reading the session does.
   */
  async open(ref: SessionRef, { preview }: { readonly preview: boolean }): Promise<{ uri: string }> {
    const uri = await this.uriOf(ref);
    if (preview) {
      await vscode.commands.executeCommand('markdown.showPreview', uri);
    } else {
      const document = await vscode.workspace.openTextDocument(uri);
      await vscode.window.showTextDocument(document);
    }
    return { uri: uri.toString() };
  }

  /**
   * Opens what was done on two ways since they parted side by side in the editor's diff. A ref without an entry is
   * the session's active branch, and goes on with it.
   *
   * @throws {SessionError} `unknown-entry`; `invalid` where both are the same place; as reading the sessions does.
   */
  async compare(left: SessionRef, right: SessionRef): Promise<{ left: string; right: string; forkPoint: string | null }> {
    const sides = await Promise.all([left, right].map(async ({ path, entryId }) => ({ session: await this.options.session(path), ...(entryId === undefined ? {} : { entryId }) })));
    const [a, b] = sides as [(typeof sides)[0], (typeof sides)[0]];
    const forkPoint = commonAncestor(a, b);
    const [leftUri, rightUri] = await Promise.all([left, right].map((ref) => this.uriOf({ ...ref, since: forkPoint }))) as [vscode.Uri, vscode.Uri];
    await vscode.commands.executeCommand('vscode.diff', leftUri, rightUri, `${sideName(a)} ↔ ${sideName(b)}`);
    return { left: leftUri.toString(), right: rightUri.toString(), forkPoint };
  }

  /**
   * The address of a document: the one that it is open under, for a session may have got another name since.
   *
   * @throws {SessionError} `unknown-entry`, and as reading the session does.
   */
  async uriOf(ref: DocumentRef): Promise<vscode.Uri> {
    const session = await this.options.session(ref.path);
    const head = ref.entryId === undefined ? undefined : requireEntry(session, ref.entryId);
    const key = documentKey(ref);
    const open = vscode.workspace.textDocuments.find(({ uri }) => uri.scheme === DOCUMENT_SCHEME && uri.query === key);
    if (open) return open.uri;
    const name = sessionName(session);
    return documentUri(ref, head ? `${name} · ${session.labels.get(head.id) ?? head.id}` : name);
  }

  /** To be called when sessions changed or went away: their documents are made anew. */
  sessionsChanged(paths: readonly string[], removed: readonly string[] = []): void {
    const gone = new Set([...paths, ...removed]);
    const open = vscode.workspace.textDocuments.filter(({ uri }) => gone.has(parseDocumentUri(uri)?.path ?? ''));
    // Of the others, which may be very many, nothing is kept.
    for (const { uri } of open) this.times.set(parseDocumentUri(uri)!.path, Date.now());
    if (open.length > 0) this.didChange.fire(open.map(({ uri }) => ({ type: vscode.FileChangeType.Changed, uri })));
  }

  /** The sessions that open documents show. */
  paths(): string[] {
    const refs = vscode.workspace.textDocuments.map(({ uri }) => parseDocumentUri(uri));
    return [...new Set(refs.flatMap((ref) => (ref ? [ref.path] : [])))];
  }

  /** What the active document shows, if it is one of ours. */
  active(): SessionRef | undefined {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    if (input instanceof vscode.TabInputText) return sessionRefOfUri(input.uri);
    if (input instanceof vscode.TabInputTextDiff) return sessionRefOfUri(vscode.window.activeTextEditor?.document.uri ?? input.modified) ?? sessionRefOfUri(input.modified);
    if (input instanceof vscode.TabInputWebview && input.viewType.endsWith('markdown.preview')) return previewedRef();
    return undefined;
  }

  watch(): vscode.Disposable {
    // What changes is told anyway.
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const mtime = this.times.get(parseDocumentUri(uri)?.path ?? '') ?? this.began;
    // How long it is, is not known before it is made.
    return { type: vscode.FileType.File, ctime: 0, mtime, size: 0, permissions: vscode.FilePermission.Readonly };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new TextEncoder().encode(await this.textOf(uri));
  }

  readDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.FileNotADirectory(uri);
  }

  createDirectory(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  writeFile(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): never {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  private async textOf(uri: vscode.Uri): Promise<string> {
    const ref = parseDocumentUri(uri);
    if (!ref) return notice(vscode.l10n.t('This address names no session.'));
    try {
      const session = await this.options.session(ref.path);
      const entry = ref.entryId === undefined ? {} : { entryId: ref.entryId };
      const options: MarkdownOptions = { ...entry, maxBytes: MAX_BYTES, translate: (template, args) => vscode.l10n.t(template, args) };
      return await (ref.since === undefined ? sessionToMarkdown(session, options) : sideToMarkdown(session, ref.since, options));
    } catch (error) {
      if (error instanceof SessionError) return notice(localizeProblem(error));
      throw uiError(error);
    }
  }
}

/** In place of a document that can't be shown (any more). */
const notice = (text: string): string => `> ${inlineText(text)}\n`;

/** Where a document stands, whatever part of the way it shows. */
function sessionRefOfUri(uri: vscode.Uri): SessionRef | undefined {
  const address = parseDocumentUri(uri);
  return address && (address.entryId === undefined ? { path: address.path } : { path: address.path, entryId: address.entryId });
}

function sessionName(session: Session): string {
  return session.name ?? session.entries.find((entry) => entry.role === 'user' && entry.hasText)?.text.replace(/^user: /, '') ?? session.header.id;
}

/** A side on the tab of a comparison: its label, else what its last entry says; of an active branch the session's name. */
function sideName({ session, entryId }: { readonly session: Session; readonly entryId?: string }): string {
  const text = entryId === undefined ? sessionName(session) : session.labels.get(entryId) ?? session.byId.get(entryId)?.text ?? entryId;
  const line = Array.from(uiLine(text, 10 * MAX_SIDE_LENGTH));
  return line.length > MAX_SIDE_LENGTH ? `${line.slice(0, MAX_SIDE_LENGTH - 1).join('')}…` : line.join('');
}

/** The preview's tab tells only its title; where two of our documents have the same, nobody knows. */
function previewedRef(): SessionRef | undefined {
  const label = vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
  const shown = vscode.workspace.textDocuments.filter(({ uri }) => uri.scheme === DOCUMENT_SCHEME && label.endsWith(uri.path.slice(1)));
  return shown.length === 1 ? sessionRefOfUri(shown[0]!.uri) : undefined;
}
