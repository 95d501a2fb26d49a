/** Sessions and branches as Markdown documents that follow their sessions while they are open. */
import * as vscode from 'vscode';
import { DOCUMENT_SCHEME, type SessionRef } from '../contract';
import {
  defined,
  inlineText,
  commonAncestorSteps,
  requireEntry,
  SessionError,
  uiError,
  type MarkdownOptions,
  Yielder,
  type Session,
  type StoreChange,
} from '../core/index';
import { loadCode } from '../ui/loadCode';
import { localizeProblem } from '../ui/localize';
import { sessionName, sideName } from './documentNames';
import { documentKey, documentUri, parseDocumentUri, type DocumentRef } from './documentUri';
import { ReadOnlyFileSystem, type DocumentStats } from './readOnlyFileSystem';

interface SessionDocumentsOptions {
  readonly session: (path: string) => Promise<Session>;
  readonly onError: (error: unknown, doing: string) => void;
}

/** Bytes of a document; the editor's own preview gets slow above that. */
const MAX_BYTES = 1024 * 1024;
/** The documents are files, because the editor opens only files again after a reload of the window. */
export class SessionDocuments extends ReadOnlyFileSystem {
  /** The time of the last change to a session with an open document, in milliseconds since 1970. The editor reads a document again only if its time differs. */
  private readonly changeTimes = new Map<string, number>();
  private readonly startTime = Date.now();

  constructor(private readonly options: SessionDocumentsOptions) {
    super(DOCUMENT_SCHEME);
  }

  /**
   * Opens the branch of an entry, or the active branch, as source or in the editor's Markdown preview.
   *
   * @throws {SessionError} `unknown-entry`, and the errors of reading the session.
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
   * Opens the parts of two branches after their fork point side by side in the editor's diff. A ref without an entry
   * stands for the session's active branch and follows it.
   *
   * @returns the URIs of both documents, and the last entry that both branches have (`null` if none).
   * @throws {SessionError} `unknown-entry`; `invalid` if both are the same place; the errors of reading the sessions.
   */
  async compare(left: SessionRef, right: SessionRef): Promise<{ left: string; right: string; forkPoint: string | null }> {
    const read = async ({ path, entryId }: SessionRef): Promise<{ session: Session; entryId?: string }> => ({
      session: await this.options.session(path),
      ...defined({ entryId }),
    });
    const [leftSide, rightSide] = await Promise.all([read(left), read(right)]);
    const forkPoint = await new Yielder(undefined).run(commonAncestorSteps(leftSide, rightSide));
    const uriOf = (ref: SessionRef): Promise<vscode.Uri> => this.uriOf({ ...ref, since: forkPoint });
    const [leftUri, rightUri] = await Promise.all([uriOf(left), uriOf(right)]);
    await vscode.commands.executeCommand('vscode.diff', leftUri, rightUri, `${sideName(leftSide)} ↔ ${sideName(rightSide)}`);
    return { left: leftUri.toString(), right: rightUri.toString(), forkPoint };
  }

  /**
   * Returns the URI of a document. An open document keeps its URI, even if the session has been renamed since.
   *
   * @throws {SessionError} `unknown-entry`, and the errors of reading the session.
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

  /** To be called when sessions changed or were removed: makes the editor read their documents again. */
  sessionsChanged({ changed, removed }: StoreChange): void {
    const open = vscode.workspace.textDocuments.flatMap(({ uri }) => {
      const path = parseDocumentUri(uri)?.path;
      return path !== undefined && (changed.has(path) || removed.has(path)) ? [{ uri, path }] : [];
    });
    // Keeps no data of sessions without a document, as there may be very many.
    for (const { path } of open) this.changeTimes.set(path, Date.now());
    if (open.length > 0) this.fireChanges(open.map(({ uri }) => ({ type: vscode.FileChangeType.Changed, uri })));
  }

  /** Returns the paths of the sessions that open documents show. */
  paths(): string[] {
    const refs = vscode.workspace.textDocuments.map(({ uri }) => parseDocumentUri(uri));
    return [...new Set(refs.flatMap((ref) => (ref ? [ref.path] : [])))];
  }

  /** Returns the session or entry that the active document shows; `undefined` if it isn't one of ours. */
  active(): SessionRef | undefined {
    const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
    if (input instanceof vscode.TabInputText) return sessionRefOfUri(input.uri);
    if (input instanceof vscode.TabInputTextDiff)
      return sessionRefOfUri(vscode.window.activeTextEditor?.document.uri ?? input.modified) ?? sessionRefOfUri(input.modified);
    if (input instanceof vscode.TabInputWebview && input.viewType.endsWith('markdown.preview')) return previewedRef();
    return undefined;
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    return new TextEncoder().encode(await this.textOf(uri));
  }

  /** The size is 0, because it isn't known until the text is made. */
  protected statsOf(uri: vscode.Uri): DocumentStats {
    return { mtime: this.changeTimes.get(parseDocumentUri(uri)?.path ?? '') ?? this.startTime, size: 0 };
  }

  private async textOf(uri: vscode.Uri): Promise<string> {
    const ref = parseDocumentUri(uri);
    if (!ref) return notice(vscode.l10n.t('This address doesn’t name a session.'));
    try {
      const session = await this.options.session(ref.path);
      const entry = ref.entryId === undefined ? {} : { entryId: ref.entryId };
      const { sessionToMarkdown, sideToMarkdown } = await loadCode(() => import('../core/index'), this.options.onError);
      const options: MarkdownOptions = { ...entry, maxBytes: MAX_BYTES, translate: (template, args) => vscode.l10n.t(template, args) };
      return await (ref.since === undefined ? sessionToMarkdown(session, options) : sideToMarkdown(session, ref.since, options));
    } catch (error) {
      if (error instanceof SessionError) return notice(localizeProblem(error));
      throw uiError(error);
    }
  }
}

/** Makes the text that replaces a document that can't be shown. */
const notice = (text: string): string => `> ${inlineText(text)}\n`;

/** Returns the session or entry of a document, also of one side of a comparison. */
function sessionRefOfUri(uri: vscode.Uri): SessionRef | undefined {
  const ref = parseDocumentUri(uri);
  return ref && (ref.entryId === undefined ? { path: ref.path } : { path: ref.path, entryId: ref.entryId });
}

/** Finds the previewed document by the tab's title, the only thing that the editor exposes; `undefined` if two documents have that title. */
function previewedRef(): SessionRef | undefined {
  const label = vscode.window.tabGroups.activeTabGroup.activeTab?.label ?? '';
  const [shown, ...others] = vscode.workspace.textDocuments.filter(
    ({ uri }) => uri.scheme === DOCUMENT_SCHEME && label.endsWith(uri.path.slice(1)),
  );
  return shown && others.length === 0 ? sessionRefOfUri(shown.uri) : undefined;
}
