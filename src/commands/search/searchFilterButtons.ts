/** The filters of the search as toggle buttons. */
import * as vscode from 'vscode';
import { workspaceFolderPaths } from '../../ui/workspaceFolders';
import type { SearchOrder } from '../../core/index';
import type { ChosenFilters } from './searchCatalog';

interface FilterButton {
  readonly icon: string;
  /** Shown in the title while the filter is on. */
  readonly name: string;
  readonly tooltip: string;
  /** A role of the catalog. With several filters on, any of their roles matches. */
  readonly role?: string;
  readonly scope?: ChosenFilters;
  /** The prefix of a query that limits it in the same way. */
  readonly prefix?: string;
  /** True for the order of the results, which limits nothing. */
  readonly isOrder?: true;
}

/** A toggle button in the input field. Newer editors support these; the oldest supported one rejects them. */
interface ToggleButton extends vscode.QuickInputButton {
  readonly toggle: { readonly checked: boolean };
  readonly location: number;
}
const INPUT_LOCATION = 3;

export class SearchFilterButtons {
  private readonly filters: readonly FilterButton[];
  private readonly on = new Set<FilterButton>();
  private readonly shown = new Map<vscode.QuickInputButton, FilterButton>();
  /** Limits the Sessions view to what the query finds. */
  readonly list: vscode.QuickInputButton = {
    iconPath: new vscode.ThemeIcon('list-filter'),
    tooltip: vscode.l10n.t('Show These Sessions in the List'),
  };

  constructor() {
    this.filters = [
      { icon: 'account', name: vscode.l10n.t('user'), tooltip: vscode.l10n.t('Only your messages'), role: 'user', prefix: 'role:user' },
      {
        icon: 'sparkle',
        name: vscode.l10n.t('assistant'),
        tooltip: vscode.l10n.t('Only the assistant’s messages'),
        role: 'assistant',
        prefix: 'role:assistant',
      },
      {
        icon: 'tools',
        name: vscode.l10n.t('tool calls'),
        tooltip: vscode.l10n.t('Only messages that call tools'),
        role: 'toolCall',
        prefix: 'role:tool',
      },
      {
        icon: 'tag',
        name: vscode.l10n.t('labeled'),
        tooltip: vscode.l10n.t('Only labeled entries'),
        scope: { labeled: true },
        prefix: 'label:',
      },
      {
        icon: 'git-branch',
        name: vscode.l10n.t('active branch'),
        tooltip: vscode.l10n.t('Only the active branch of each session'),
        scope: { active: true },
      },
      ...(workspaceFolderPaths().length === 0
        ? []
        : [
            {
              icon: 'root-folder',
              name: vscode.l10n.t('this project'),
              tooltip: vscode.l10n.t('Only the open project'),
              scope: { openProjects: true },
            },
          ]),
      { icon: 'history', name: vscode.l10n.t('newest first'), tooltip: vscode.l10n.t('Newest Results First'), isOrder: true },
    ];
  }

  /** Returns the scope of all filters that are on. */
  scope(): ChosenFilters {
    const on = this.filters.filter((filter) => this.on.has(filter));
    const roles = on.flatMap(({ role }) => (role === undefined ? [] : [role]));
    // The typings of `Object.assign` make `any` of a list.
    return Object.assign({}, ...on.map(({ scope }) => scope), roles.length > 0 ? { roles } : {}) as ChosenFilters;
  }

  /** Returns a query with the filters that are on, as far as it can have them. */
  queryWith(typed: string): string {
    const prefixes = this.filters.flatMap((filter) => (this.on.has(filter) && filter.prefix !== undefined ? [filter.prefix] : []));
    return [typed.trim(), ...prefixes].join(' ').trim();
  }

  order(): SearchOrder {
    return [...this.on].some(({ isOrder }) => isOrder) ? 'time' : 'relevance';
  }

  /** Returns the names of the filters that are on, for display. */
  activeNames(): string[] {
    return this.filters.filter((filter) => this.on.has(filter) && !filter.isOrder).map(({ name }) => name);
  }

  clear(): void {
    this.on.clear();
  }

  /** Turns a button's filter on or off. Returns false if the button isn't one of the filter buttons. */
  toggle(button: vscode.QuickInputButton): boolean {
    const filter = this.shown.get(button);
    if (!filter) return false;
    if (!this.on.delete(filter)) this.on.add(filter);
    return true;
  }

  /** Shows the buttons in their current state. */
  show(picker: vscode.QuickPick<vscode.QuickPickItem>): void {
    this.shown.clear();
    const buttons = this.filters.map((filter): ToggleButton => {
      const checked = this.on.has(filter);
      const button = {
        iconPath: new vscode.ThemeIcon(filter.icon),
        tooltip: filter.tooltip,
        toggle: { checked },
        location: INPUT_LOCATION,
      };
      this.shown.set(button, filter);
      return button;
    });
    try {
      picker.buttons = [...buttons, this.list];
    } catch {
      // In an editor where toggle buttons are only proposed API, plain buttons in the title bar stand in; the title shows the filters that are on.
      const plain = this.filters.map((filter) => {
        const button = { iconPath: new vscode.ThemeIcon(filter.icon), tooltip: filter.tooltip };
        this.shown.set(button, filter);
        return button;
      });
      picker.buttons = [...plain, this.list];
    }
  }
}
