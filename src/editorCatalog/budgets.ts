/** Budgets of a day: the mark in the status bar and the view when one is passed, and a notification that one window shows once a day. */
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { claimOnce, dayName, expandPath, isObject, localDayOf, shortPath, type Catalog } from '../core/index';
import { formatCost } from '../ui/formatNumbers';
import { showWarning } from '../ui/safe/messages';
import { createStatusBarItem } from '../ui/safe/statusBar';

const SETTING = 'sessionTree.budgets';
/** The name of the budget of all projects together. */
const ALL = '*';
/** Milliseconds between two looks while sessions grow, and while they don't: then a new day may begin. */
const [SOON, LATER] = [15_000, 600_000];

interface BudgetDeps {
  /** The folder of the claims, which all windows share. */
  readonly folder: string;
  /** Resolves to `undefined` while the search index is cleared. */
  readonly open: () => Promise<Catalog | undefined>;
  readonly onDidChangeCatalog: vscode.Event<unknown>;
  readonly now: () => number;
  /** Shows the mark of a passed budget beside the rows, too; empty for none. */
  readonly onMark: (mark: string) => void;
  readonly onError: (error: unknown, doing: string) => void;
}

/** A budget that was passed. */
interface Passed {
  /** The project's folder; empty for all projects. */
  readonly project: string;
  readonly cost: number;
  readonly budget: number;
}

export class Budgets implements vscode.Disposable {
  /** Created when a budget is passed for the first time. */
  private item: ReturnType<typeof createStatusBarItem> | undefined;
  private readonly listeners: readonly vscode.Disposable[];
  private timer: NodeJS.Timeout | undefined;
  private isDue = false;
  private isDisposed = false;

  constructor(private readonly deps: BudgetDeps) {
    this.listeners = [
      deps.onDidChangeCatalog(() => this.lookSoon()),
      vscode.workspace.onDidChangeConfiguration((event) => event.affectsConfiguration(SETTING) && void this.look()),
    ];
    this.lookSoon();
  }

  dispose(): void {
    this.isDisposed = true;
    clearTimeout(this.timer);
    for (const each of this.listeners) each.dispose();
    this.item?.dispose();
  }

  /** Compares what was spent today with the budgets. Without budgets, the catalog isn't even opened. */
  async look(): Promise<void> {
    this.isDue = false;
    const budgets = readBudgets();
    try {
      const passed = budgets.size === 0 ? [] : await this.passed(budgets);
      if (this.isDisposed) return;
      this.show(passed);
      if (passed.length > 0) await this.notifyOnce(passed);
    } catch (error) {
      this.deps.onError(error, 'comparing costs with budgets');
    }
    if (budgets.size > 0 && !this.isWaiting()) this.wait(LATER);
  }

  private lookSoon(): void {
    if (this.isDue || readBudgets().size === 0) return;
    this.isDue = true;
    this.wait(SOON);
  }

  /** True if the catalog has changed meanwhile. */
  private isWaiting(): boolean {
    return this.isDue;
  }

  private wait(time: number): void {
    clearTimeout(this.timer);
    if (!this.isDisposed) this.timer = setTimeout(() => void this.look(), time).unref();
  }

  private async passed(budgets: ReadonlyMap<string, number>): Promise<Passed[]> {
    const catalog = await this.deps.open();
    if (!catalog) return [];
    const now = this.deps.now();
    const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
    const sums = await catalog.usage({ by: 'project', since: now, until: now, timeZone });
    const all = { key: '', cost: sums.reduce((sum, { cost }) => sum + cost, 0) };
    const costOf = new Map(sums.map(({ key, cost }) => [key, cost]));
    return Array.from(budgets, ([name, budget]) =>
      name === ALL ? { project: '', cost: all.cost, budget } : { project: name, cost: costOf.get(name) ?? 0, budget },
    ).filter(({ cost, budget }) => cost > budget);
  }

  private show(passed: readonly Passed[]): void {
    const [first] = passed;
    const mark = first ? vscode.l10n.t('Budget: {0}', formatCost(first.cost)) : '';
    this.deps.onMark(mark);
    if (!first) {
      this.item?.show(undefined);
      return;
    }
    const texts = passed.map(budgetText).join('\n');
    this.item ??= createStatusBarItem('budgets', vscode.l10n.t('Session Budgets'), 'warning', 'sessionTree.usage');
    this.item.show({ text: mark, tooltip: texts, label: texts });
  }

  private async notifyOnce(passed: readonly Passed[]): Promise<void> {
    const day = dayName(localDayOf(Intl.DateTimeFormat().resolvedOptions().timeZone)(this.deps.now()));
    if (!(await claimOnce(this.deps.folder, `budget ${day}`, this.deps.now()))) return;
    const show = vscode.l10n.t('Show Usage');
    const chosen = await showWarning(passed.map(budgetText).join(' '), show);
    if (chosen === show) await vscode.commands.executeCommand('sessionTree.usage');
  }
}

function budgetText({ project, cost, budget }: Passed): string {
  const amounts = { cost: formatCost(cost), budget: formatCost(budget) };
  return project === ''
    ? vscode.l10n.t('Sessions cost {cost} today; the budget is {budget}.', amounts)
    : vscode.l10n.t('Sessions of {project} cost {cost} today; the budget is {budget}.', { ...amounts, project: shortPath(project) });
}

/** The budgets by folder. Values that aren't amounts don't count. */
function readBudgets(): ReadonlyMap<string, number> {
  const set = vscode.workspace.getConfiguration().get<unknown>(SETTING);
  const budgets = new Map<string, number>();
  for (const [name, budget] of isObject(set) ? Object.entries(set) : [])
    if (typeof budget === 'number' && budget >= 0) budgets.set(name === ALL ? ALL : expandPath(name, homedir()), budget);
  return budgets;
}
