// The rows of the Sessions view as a person sees them, and the ways to open them.
import * as vscode from 'vscode';
import type { Driver } from './driver';

/** One row, as the window shows it. */
interface Shown {
  readonly level: number;
  /** `null`: it can't be opened. */
  readonly expanded: string | null;
  readonly name: string;
  readonly description: string;
}

const VIEW_ROWS = '.part.sidebar .monaco-list-row[role="treeitem"]';

const READ = `[...document.querySelectorAll('${VIEW_ROWS}')]
  .map((row) => ({ row, top: row.getBoundingClientRect().top }))
  .sort((a, b) => a.top - b.top)
  .map(({ row }) => ({
    level: Number(row.getAttribute('aria-level')),
    expanded: row.getAttribute('aria-expanded'),
    name: row.querySelector('.label-name')?.textContent ?? '',
    description: row.querySelector('.label-description')?.textContent ?? '',
  }))`;

interface Sizable {
  setViewportSize(size: { readonly width: number; readonly height: number }): Promise<void>;
}

/** Makes the window so tall that no row of the sample store has to be scrolled to. */
export async function tallWindow(driver: Driver): Promise<void> {
  await (driver.page as unknown as Sizable).setViewportSize({ width: 1280, height: 3000 });
}

export async function usualWindow(driver: Driver): Promise<void> {
  await (driver.page as unknown as Sizable).setViewportSize({ width: 1280, height: 800 });
}

/** Shows the view with every project closed. */
export async function showClosed(driver: Driver): Promise<void> {
  await vscode.commands.executeCommand('sessionTree.sessions.focus');
  await vscode.commands.executeCommand('sessionTree.refresh');
  await until('all rows are closed', async () => {
    await vscode.commands.executeCommand('workbench.actions.treeView.sessionTree.sessions.collapseAll');
    const all = await rows(driver);
    return all.length > 0 && all.every(({ level }) => level === 1);
  });
}

/** The rows that the window holds now. */
export async function rows(driver: Driver): Promise<Shown[]> {
  return (await driver.evaluate(READ)) as Shown[];
}

/**
 * The rows as text: indented, `▾` open, `▸` closed, and behind two bars what stands there in grey. What depends on
 * the clock or on the temp folder is replaced. With `below`, only the row that begins with it and what is below it.
 */
export async function picture(driver: Driver, below?: string): Promise<string> {
  let all = await rows(driver);
  if (below !== undefined) {
    const from = all.findIndex(({ name }) => name.startsWith(below));
    const after = all.findIndex(({ level }, index) => index > from && level <= all[from]!.level);
    all = from < 0 ? [] : all.slice(from, after < 0 ? undefined : after);
  }
  const first = all[0]?.level ?? 1;
  return all
    .map(({ level, expanded, name, description }) => {
      const twistie = expanded === null ? '' : expanded === 'true' ? '▾ ' : '▸ ';
      const grey = description === '' ? '' : ` ‖ ${steady(description)}`;
      return `${'  '.repeat(level - first)}${twistie}${steady(name.replaceAll('\u00a0', ' '))}${grey}`;
    })
    .join('\n');
}

function steady(text: string): string {
  return text
    .replace(/^now|\d+ min\. ago/, 'minutes ago')
    .replace(/[A-Z][a-z]{2} \d{1,2}, \d{4}/, 'a date')
    .replace(/\S*\/(?=code\/)/, '…/')
    .replace(/\S+\.jsonl/, '….jsonl');
}

/** Opens the closed row whose name begins with `name`, or a branch whose text does, the `nth` of them, and waits for what is below it. */
export async function open(driver: Driver, name: string, nth = 0): Promise<void> {
  const index = await until(`a row “${name}”`, async () => {
    const found = (await rows(driver)).flatMap((row, at) =>
      row.expanded !== null && (row.name.startsWith(name) || row.description.startsWith(name)) ? [at] : [],
    );
    return found[nth];
  });
  const before = (await rows(driver))[index]!;
  if (before.expanded === 'false') {
    const row = driver.page.locator(`${VIEW_ROWS}[aria-expanded]`).filter({ hasText: name }).nth(nth);
    await row.locator('.monaco-tl-twistie').first().click();
  }
  await until(`what is below “${name}”`, async () => {
    const all = await rows(driver);
    return all[index]?.expanded === 'true' && (all[index + 1]?.level ?? 0) > all[index].level;
  });
}

/** Waits for something that nothing tells of. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>, limit = 8000): Promise<T> {
  const end = Date.now() + limit;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`${what}: not within ${String(limit)} ms`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}
