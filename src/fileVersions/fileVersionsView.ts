/** The File Versions view: the versions of the active editor's file across all sessions. Opens and reads nothing before it's shown. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { FILE_VERSIONS_VIEW } from '../contract';
import { turnOf, Yielder, type Catalog, type FileRevision, type fileVersions, type Session } from '../core/index';
import { loadCode } from '../ui/loadCode';
import { localizeError } from '../ui/localize';
import { registerCommand } from '../ui/safe/registerCommand';
import { RowAges, type AgeFormats } from '../ui/rowAges';
import { createTreeView } from '../ui/safe/treeView';
import { moreItem, versionItem, versionTooltip, type MoreVersionsRow, type VersionRow } from './versionItems';

interface FileVersionsViewDeps {
  readonly catalog: {
    /** @throws {SessionError} */
    readonly open: () => Promise<Catalog>;
    readonly progress: () => { readonly done: number; readonly total: number; readonly isCleared?: true };
    /** Resolves to `undefined` for a catalog that a person has cleared. @throws {SessionError} */
    readonly openUnlessCleared: () => Promise<Catalog | undefined>;
    /** Fires when sessions differ and the catalog has read them. */
    readonly onDidChangeSessions: vscode.Event<void>;
  };
  readonly ages: AgeFormats;
  /** Escapes text for Markdown. */
  readonly escapeMarkdown: (text: string) => string;
  readonly onError: (error: unknown, doing: string) => void;
}

type Node = VersionRow | MoreVersionsRow;
type State = 'noFile' | 'reading' | 'none' | 'versions' | 'cleared' | 'failed';

const COMMANDS = {
  pin: 'sessionTree.fileVersions.pin',
  unpin: 'sessionTree.fileVersions.unpin',
  more: 'sessionTree.fileVersions.more',
} as const;
const SHOW = 'sessionTree.showFileChange';
/** Context keys for menus and for the welcome view in package.json. */
const STATE_KEY = 'sessionTree.fileVersionsState';
const PINNED_KEY = 'sessionTree.fileVersionsPinned';
/** Rows that are shown at first, and that each “Show More” adds. */
const PAGE = 100;
/** Milliseconds in which changes are collected, such as while a person switches editors or an agent writes. */
const DELAY = 200;

export class FileVersionsView implements vscode.Disposable {
  private readonly emitter = new vscode.EventEmitter<Node[] | undefined>();
  private readonly view: vscode.TreeView<Node>;
  private readonly ages: RowAges<VersionRow>;
  private readonly disposables: readonly { dispose(): unknown }[];
  private versionsOf: Promise<typeof fileVersions> | undefined;
  private timer: NodeJS.Timeout | undefined;
  private loading: AbortController | undefined;
  private file: string | undefined;
  private isPinned = false;
  private limit = PAGE;
  private rows: readonly Node[] = [];
  private state: State | undefined;

  constructor(private readonly deps: FileVersionsViewDeps) {
    this.view = createTreeView<Node>(FILE_VERSIONS_VIEW, {
      treeDataProvider: {
        onDidChangeTreeData: this.emitter.event,
        getChildren: (parent) => (parent ? [] : [...this.rows]),
        // The editor reveals rows only of views that say what's above them.
        getParent: () => undefined,
        getTreeItem: (node) => (node.row === 'more' ? moreItem(node, COMMANDS.more) : this.item(node)),
        resolveTreeItem: (item, node) => {
          if (node.row === 'entry') item.tooltip = versionTooltip(node, deps.escapeMarkdown);
          return item;
        },
      },
    });
    this.ages = new RowAges({ formats: deps.ages, isVisible: () => this.view.visible, refresh: (rows) => this.emitter.fire(rows) });
    this.file = fileOf(vscode.window.activeTextEditor);
    this.disposables = [
      this.view,
      this.ages,
      this.emitter,
      this.view.onDidChangeVisibility(({ visible }) => {
        if (!visible) this.stop();
        else {
          this.ages.update();
          this.schedule(0);
        }
      }),
      vscode.window.onDidChangeActiveTextEditor((editor) => {
        const file = fileOf(editor);
        // The versions stay while a difference, a session or nothing is shown.
        if (file !== undefined && !this.isPinned) this.setFile(file);
      }),
      deps.catalog.onDidChangeSessions(() => this.schedule(DELAY)),
      registerCommand(COMMANDS.pin, () => this.setPinned(true)),
      registerCommand(COMMANDS.unpin, () => this.setPinned(false)),
      registerCommand(COMMANDS.more, () => this.showMore()),
    ];
  }

  dispose(): void {
    this.stop();
    for (const disposable of this.disposables) disposable.dispose();
  }

  /** Shows the versions of a file, and moves the focus to the view. */
  async show(file: string): Promise<void> {
    // A user's request fills the catalog again after it was cleared.
    if (this.deps.catalog.progress().isCleared) await this.deps.catalog.open();
    this.setFile(file);
    await vscode.commands.executeCommand(`${FILE_VERSIONS_VIEW}.focus`);
  }

  private item(row: VersionRow): vscode.TreeItem {
    return versionItem(row, this.ages.of(row, row.version.time), SHOW);
  }

  private setFile(file: string): void {
    if (file === this.file) return;
    this.file = file;
    this.limit = PAGE;
    this.schedule(DELAY);
  }

  private async setPinned(isPinned: boolean): Promise<void> {
    this.isPinned = isPinned;
    await vscode.commands.executeCommand('setContext', PINNED_KEY, isPinned);
    const file = fileOf(vscode.window.activeTextEditor);
    if (!isPinned && file !== undefined) this.setFile(file);
  }

  /** The focus moves to the first row that is added: the one that was chosen moves to the end or goes, and the keyboard's place with it. */
  private async showMore(): Promise<void> {
    const { file } = this;
    const place = this.rows.findIndex(({ row }) => row === 'more');
    this.limit += PAGE;
    clearTimeout(this.timer);
    await this.load();
    const added = this.rows[place];
    if (added?.row === 'entry' && file === this.file && this.view.visible) await this.view.reveal(added, { select: false, focus: true });
  }

  private schedule(delay: number): void {
    if (!this.view.visible) return;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => void this.load(), delay);
  }

  private stop(): void {
    clearTimeout(this.timer);
    this.loading?.abort();
  }

  private async load(): Promise<void> {
    this.loading?.abort();
    const stop = (this.loading = new AbortController());
    const { file } = this;
    this.view.description = file === undefined ? '' : basename(file);
    try {
      const catalog = file === undefined ? undefined : await this.deps.catalog.openUnlessCleared();
      if (file !== undefined && !catalog) {
        if (stop.signal.aborted) return;
        this.view.message = '';
        await this.replace([], 'cleared');
        return;
      }
      const { rows, isComplete } =
        catalog && file !== undefined ? await this.read(catalog, file, stop.signal) : { rows: [], isComplete: true };
      if (stop.signal.aborted) return;
      const { done, total } = this.deps.catalog.progress();
      this.view.message = isComplete ? '' : vscode.l10n.t('{0} of {1} files read', done, total);
      await this.replace(rows, file === undefined ? 'noFile' : rows.length > 0 ? 'versions' : isComplete ? 'none' : 'reading');
    } catch (error) {
      if (stop.signal.aborted) return;
      if (!(error instanceof vscode.CancellationError)) {
        this.view.message = localizeError(error);
        this.deps.onError(error, 'listing the versions of a file');
      }
      await this.replace([], 'failed');
    }
  }

  private async read(catalog: Catalog, file: string, signal: AbortSignal): Promise<{ rows: Node[]; isComplete: boolean }> {
    // Tried once only, so that not each file that is opened gets a message.
    const versionsOf = await (this.versionsOf ??= loadVersionsOf(this.deps.onError));
    // Git runs in the repository of the file, which an untrusted workspace may have brought along.
    const versions = (await versionsOf(catalog, file, { signal, git: vscode.workspace.isTrusted })).reverse();
    const rows: Node[] = await rowsOf(catalog, file, versions.slice(0, this.limit), signal);
    if (versions.length > this.limit) rows.push({ row: 'more', path: '', left: versions.length - this.limit });
    const { done, total } = this.deps.catalog.progress();
    return { rows, isComplete: done >= total };
  }

  /** Replaces the rows only if they changed: while the editor replaces rows, keys and buttons don't reach them. */
  private async replace(rows: readonly Node[], state: State): Promise<void> {
    if (JSON.stringify(rows) !== JSON.stringify(this.rows)) {
      this.rows = rows;
      this.ages.clear();
      this.emitter.fire(undefined);
    }
    if (state === this.state) return;
    this.state = state;
    await vscode.commands.executeCommand('setContext', STATE_KEY, state);
  }
}

async function loadVersionsOf(onError: FileVersionsViewDeps['onError']): Promise<typeof fileVersions> {
  const { fileVersions } = await loadCode(() => import('../core/index'), onError);
  return fileVersions;
}

/** Returns the path of the editor's file; `undefined` for other documents. */
const fileOf = (editor: vscode.TextEditor | undefined): string | undefined =>
  editor?.document.uri.scheme === 'file' ? editor.document.uri.fsPath : undefined;

async function rowsOf(catalog: Catalog, file: string, versions: readonly FileRevision[], signal: AbortSignal): Promise<VersionRow[]> {
  const sessions = new Map<string, Session | undefined>();
  const pause = new Yielder(signal);
  const rows: VersionRow[] = [];
  for (const version of versions) {
    const { path, entryId } = version;
    // A session that was deleted a moment ago leaves its versions without prompts.
    if (!sessions.has(path)) sessions.set(path, await catalog.session(path).catch(() => undefined));
    const session = sessions.get(path);
    const turn = session?.byId.has(entryId) ? turnOf(session, entryId) : undefined;
    rows.push({ row: 'entry', path, entryId, file, version, turn });
    await pause.yieldIfDue();
  }
  return rows;
}
