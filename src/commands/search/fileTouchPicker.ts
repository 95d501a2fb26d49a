/** The quick pick of entries that read or wrote a file. */
import * as vscode from 'vscode';
import type { Catalog, SearchHit } from '../../core/index';
import { createQuickPick } from '../../ui/quickInput';
import { localizeError } from '../../ui/localize';
import type { CommandDeps } from '../handler/commandDeps';
import type { OpenTarget } from '../open/revealHit';
import { errorItem, hitItems, messageItem, openTargetOf, type SearchItem } from './searchItems';

interface FileTouch {
  readonly path: string;
  readonly entryId: string;
  readonly kind: 'read' | 'write';
}

export interface PickedTouch {
  readonly hit: SearchHit;
  readonly openTarget: OpenTarget;
}

export interface FileTouchPickerOptions {
  readonly title: string;
  readonly paths: readonly string[];
  readonly touches: () => Promise<readonly FileTouch[]>;
}

/** Entries in the list. */
const MAX_ENTRIES = 500;
/** Milliseconds between two updates while sessions are read. */
const REFRESH_INTERVAL = 1000;

/** Shows the list and resolves to the chosen entry. @throws {vscode.CancellationError} */
export async function pickFileTouch(deps: CommandDeps, catalog: Catalog, options: FileTouchPickerOptions): Promise<PickedTouch> {
  const picker = createQuickPick<SearchItem>();
  // Keeps the order, newest first. The editor's typings lack this property.
  Object.assign(picker, { sortByLabel: false });
  picker.placeholder = vscode.l10n.t('Select an entry, or type to filter by session, project or text');
  picker.matchOnDetail = true;
  let timer: NodeJS.Timeout | undefined;
  const show = async (): Promise<void> => {
    const { items, count } = await itemsOf(deps, catalog, options).catch((error: unknown) => ({
      items: [loggedErrorItem(deps, error)],
      count: '',
    }));
    const { done, total, isStopped } = deps.catalog.progress();
    const isReading = done < total && !isStopped;
    picker.title = [options.title, count, isReading ? vscode.l10n.t('{0} of {1} files read', done, total) : '']
      .filter((part) => part !== '')
      .join(' · ');
    picker.busy = isReading;
    const active = picker.activeItems[0]?.label;
    picker.keepScrollPosition = picker.items.length > 0;
    picker.items = items;
    const same = items.find(({ label }) => label === active);
    if (same) picker.activeItems = [same];
  };
  const schedule = (): void => {
    timer ??= setTimeout(() => {
      timer = undefined;
      void show();
    }, REFRESH_INTERVAL);
  };
  picker.title = options.title;
  picker.busy = true;
  const subscription = deps.catalog.onDidChange(schedule);
  try {
    const picked = await new Promise<PickedTouch | undefined>((resolve) => {
      const choose = (item: SearchItem | undefined, openTarget: OpenTarget): void => {
        if (item?.action.kind === 'hit') resolve({ hit: item.action.hit, openTarget });
      };
      picker.onDidAccept(() => choose(picker.selectedItems[0], 'context'));
      picker.onDidTriggerItemButton(({ item, button }) => choose(item, openTargetOf(button)));
      picker.onDidHide(() => resolve(undefined));
      picker.show();
      void show();
    });
    if (!picked) throw new vscode.CancellationError();
    return picked;
  } finally {
    clearTimeout(timer);
    subscription.dispose();
    picker.dispose();
  }
}

async function itemsOf(
  deps: CommandDeps,
  catalog: Catalog,
  { paths, touches }: FileTouchPickerOptions,
): Promise<{ items: SearchItem[]; count: string }> {
  const kinds = new Map<string, Set<FileTouch['kind']>>();
  for (const { path, entryId, kind } of await touches()) {
    const key = keyOf({ path, entryId });
    kinds.set(key, (kinds.get(key) ?? new Set()).add(kind));
  }
  // The search also finds longer paths that contain this one.
  const hits = (await catalog.search('', { files: paths, limit: MAX_ENTRIES * 2 }))
    .filter((hit) => kinds.has(keyOf(hit)))
    .slice(0, MAX_ENTRIES);
  if (hits.length === 0) {
    const detail = vscode.l10n.t('Only files that tools read or wrote are tracked, not changes by commands.');
    return { items: [messageItem(vscode.l10n.t('No sessions have read or written this file'), detail, 'info')], count: '' };
  }
  const sessions = new Map((await catalog.sessions()).map((row) => [row.path, row]));
  const found = hitItems(hits, { ago: deps.ago, sessions, typed: '', marks: false, kind: (hit) => touchKind(kinds.get(keyOf(hit))!) });
  // In this list, typing filters the items.
  const items = found.map((item) => ({ ...item, alwaysShow: false }));
  return { items, count: items.length === 1 ? vscode.l10n.t('1 entry') : vscode.l10n.t('{0} entries', items.length) };
}

const keyOf = ({ path, entryId }: Pick<SearchHit, 'path' | 'entryId'>): string => JSON.stringify([path, entryId]);

function touchKind(kinds: ReadonlySet<FileTouch['kind']>): { word: string; icon: string } {
  if (kinds.size > 1) return { word: vscode.l10n.t('read and wrote'), icon: 'edit' };
  return kinds.has('write')
    ? { word: vscode.l10n.t({ message: 'wrote', comment: 'The entry wrote the file; past tense' }), icon: 'edit' }
    : { word: vscode.l10n.t({ message: 'read', comment: 'The entry read the file; past tense' }), icon: 'eye' };
}

function loggedErrorItem(deps: CommandDeps, error: unknown): SearchItem {
  deps.log.error(error instanceof Error ? error : String(error));
  return errorItem(localizeError(error));
}
