/** The search's filters as buttons that stay pressed. */
import * as vscode from 'vscode';
import { workspaceFolderPaths, type SearchScope } from './searchCatalog';

interface FilterButton {
  readonly icon: string;
  /** Stands over the list while it is on. */
  readonly name: string;
  readonly tooltip: string;
  /** As in the catalog; of several roles any will do. */
  readonly role?: string;
  readonly scope?: SearchScope;
}

/** Editors from some version on: buttons that show whether they are pressed, in the field where one types. */
interface ToggleButton extends vscode.QuickInputButton {
  readonly toggle: { readonly checked: boolean };
  readonly location: number;
}
const INPUT_LOCATION = 3;

export class SearchFilterButtons {
  private readonly filters: readonly FilterButton[];
  private readonly on = new Set<FilterButton>();
  private readonly shown = new Map<vscode.QuickInputButton, FilterButton>();

  constructor() {
    this.filters = [
      { icon: 'account', name: vscode.l10n.t('user'), tooltip: vscode.l10n.t('Only what the person wrote'), role: 'user' },
      { icon: 'sparkle', name: vscode.l10n.t('assistant'), tooltip: vscode.l10n.t('Only what the assistant wrote'), role: 'assistant' },
      { icon: 'tools', name: vscode.l10n.t('tool calls'), tooltip: vscode.l10n.t('Only messages that call tools'), role: 'toolCall' },
      { icon: 'tag', name: vscode.l10n.t('labeled'), tooltip: vscode.l10n.t('Only entries that carry a label'), scope: { labeled: true } },
      { icon: 'git-branch', name: vscode.l10n.t('active branch'), tooltip: vscode.l10n.t('Only the active branch of each session'), scope: { active: true } },
      ...(workspaceFolderPaths().length === 0 ? [] : [{ icon: 'root-folder', name: vscode.l10n.t('this project'), tooltip: vscode.l10n.t('Only the project that is open'), scope: { openProjects: true } }]),
    ];
  }

  chosen(): SearchScope {
    const on = this.filters.filter((filter) => this.on.has(filter));
    const roles = on.flatMap(({ role }) => (role === undefined ? [] : [role]));
    return Object.assign({}, ...on.map(({ scope: chosen }) => chosen), roles.length > 0 ? { roles } : {}) as SearchScope;
  }

  /** What is on, for a person; empty if nothing is. */
  activeNames(): string[] {
    return this.filters.filter((filter) => this.on.has(filter)).map(({ name }) => name);
  }

  clear(): void {
    this.on.clear();
  }

  /** Whether it was one of ours. */
  toggle(button: vscode.QuickInputButton): boolean {
    const filter = this.shown.get(button);
    if (!filter) return false;
    if (!this.on.delete(filter)) this.on.add(filter);
    return true;
  }

  /** Puts the buttons there as they are now. */
  show(picker: vscode.QuickPick<vscode.QuickPickItem>): void {
    this.shown.clear();
    const buttons = this.filters.map((filter): ToggleButton => {
      const checked = this.on.has(filter);
      const button = { iconPath: new vscode.ThemeIcon(filter.icon), tooltip: filter.tooltip, toggle: { checked }, location: INPUT_LOCATION };
      this.shown.set(button, filter);
      return button;
    });
    try {
      picker.buttons = buttons;
    } catch {
      // An editor in which these are only being tried out: there they stand in the title, which says what is on.
      const plain = buttons.map((button) => ({ iconPath: button.iconPath, tooltip: button.tooltip ?? '' }));
      plain.forEach((button, index) => this.shown.set(button, this.filters[index]!));
      picker.buttons = plain;
    }
  }
}
