/** The difference that a restore would make, in the editor: each file as it is on the disk beside its planned text. */
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { uiLine, type PlannedFile } from '../../core/index';
import { isChanged } from './planFiles';
import type { RestoreDocuments } from './restoreDocuments';

/** Files in one editor: it reads all of them before it shows the first. Each can also be opened alone. */
const MAX_FILES = 100;

/** The sides of a difference; a side is absent if there's no file. */
interface Sides {
  readonly before?: vscode.Uri;
  readonly after?: vscode.Uri;
}

export class RestoreDiff implements vscode.Disposable {
  private readonly planned = new Map<PlannedFile, vscode.Uri>();
  private readonly title: string;
  private opening: Promise<void> | undefined;
  private isClosed = false;

  /** @param title the title of the tab with all files */
  constructor(
    private readonly documents: RestoreDocuments,
    title: string,
  ) {
    this.title = uiLine(title);
  }

  /** Opens what would change in the multi-file diff editor, the certain files first, in place of what it showed before. */
  async openAll(files: readonly PlannedFile[]): Promise<void> {
    const changed = files.filter(isChanged);
    const shown = [...changed.filter(isExact), ...changed.filter((file) => !isExact(file))].slice(0, MAX_FILES);
    if (shown.length === 0) return;
    const resources = shown.map((file) => {
      const { before, after } = this.sidesOf(file);
      return [vscode.Uri.file(file.file), before, after];
    });
    // Otherwise the later one could be opened first.
    const before = this.opening?.then(undefined, () => undefined);
    this.opening = (async () => {
      await before;
      if (this.isClosed) return;
      const earlier = this.ownTabs();
      await vscode.commands.executeCommand('vscode.changes', this.title, resources);
      // Without previews, the editor opens a tab beside the earlier one.
      await closeTabs(earlier);
    })();
    await this.opening;
  }

  /** Opens one file. */
  async open(file: PlannedFile): Promise<void> {
    const { before = this.documents.add(file.file, ''), after = this.documents.add(file.file, '') } = this.sidesOf(file);
    const title = vscode.l10n.t({
      message: '{name}: now ↔ then',
      args: { name: basename(file.file) },
      comment: 'Title of a difference: a file as it is now, and as it would be restored',
    });
    await vscode.commands.executeCommand('vscode.diff', before, after, uiLine(title), { preview: true, preserveFocus: true });
  }

  /** Closes the tab with all files, and forgets the texts. No other one opens. */
  async close(): Promise<void> {
    this.isClosed = true;
    // A tab that is still opening would stay. The failure has been reported.
    await this.opening?.then(undefined, () => undefined);
    const planned = new Set([...this.planned.values()].map(String));
    const single = allTabs().filter(({ input }) => input instanceof vscode.TabInputTextDiff && planned.has(input.modified.toString()));
    await closeTabs([...this.ownTabs(), ...single]);
    this.dispose();
  }

  /** Returns the tabs with all files. The API names no documents of a tab with several, and the editor adds a count to its title. */
  private ownTabs(): vscode.Tab[] {
    return allTabs().filter(
      ({ input, label }) =>
        !(input instanceof vscode.TabInputTextDiff || input instanceof vscode.TabInputText) && label.startsWith(this.title),
    );
  }

  dispose(): void {
    this.documents.remove(this.planned.values());
    this.planned.clear();
  }

  private sidesOf(file: PlannedFile): Sides {
    const before = file.was === null ? {} : { before: vscode.Uri.file(file.file) };
    if (file.text === undefined) return before;
    const after = this.planned.get(file) ?? this.documents.add(file.file, file.text);
    this.planned.set(file, after);
    return { ...before, after };
  }
}

const allTabs = (): vscode.Tab[] => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs);

/** Closes those of the tabs that are still there. */
async function closeTabs(tabs: readonly vscode.Tab[]): Promise<void> {
  const left = allTabs().filter((tab) => tabs.includes(tab));
  if (left.length > 0) await vscode.window.tabGroups.close(left);
}

export const isExact = ({ certainty }: PlannedFile): boolean => certainty === 'exact';
