// Reads the rows of the Sessions view like a person, and opens them.
import * as vscode from 'vscode';
import type { Driver } from './driver';
import { WAIT_LIMIT_MS } from './waiting';

/** A visible row. */
interface Shown {
  /** The element's id. */
  readonly id: string;
  readonly level: number;
  /** `null` if it can't be expanded. */
  readonly expanded: string | null;
  readonly name: string;
  readonly description: string;
  /** The accessible name. */
  readonly spoken: string;
}

const VIEW_ROWS = '.part.sidebar .monaco-list-row[role="treeitem"]';

const READ = `[...document.querySelectorAll('${VIEW_ROWS}')]
  .map((row) => ({ row, top: row.getBoundingClientRect().top }))
  .sort((a, b) => a.top - b.top)
  .map(({ row }) => ({
    id: row.id,
    level: Number(row.getAttribute('aria-level')),
    expanded: row.getAttribute('aria-expanded'),
    name: row.querySelector('.label-name')?.textContent ?? '',
    description: row.querySelector('.label-description')?.textContent ?? '',
    spoken: row.getAttribute('aria-label') ?? '',
  }))`;

interface Sizable {
  setViewportSize(size: { readonly width: number; readonly height: number }): Promise<void>;
}

/** Makes the window tall enough for all rows of the sample store. */
export async function tallWindow(driver: Driver): Promise<void> {
  await (driver.page as unknown as Sizable).setViewportSize({ width: 1280, height: 3000 });
}

export async function usualWindow(driver: Driver): Promise<void> {
  await (driver.page as unknown as Sizable).setViewportSize({ width: 1280, height: 800 });
}

/** Shows the view with every project collapsed. */
export async function showClosed(driver: Driver): Promise<void> {
  await vscode.commands.executeCommand('sessionTree.sessions.focus');
  // Closed before the refresh, too: the editor restores what was open below a closed row when its refresh began.
  await closeAll(driver);
  await vscode.commands.executeCommand('sessionTree.refresh');
  await until('all rows are closed', async () => (await closeAll(driver)) > 0);
}

/** Closes all rows, and resolves to their number. */
async function closeAll(driver: Driver): Promise<number> {
  let all: readonly Shown[] = [];
  await until('no row is open', async () => {
    await vscode.commands.executeCommand('workbench.actions.treeView.sessionTree.sessions.collapseAll');
    all = await rows(driver);
    return all.every(({ level }) => level === 1);
  });
  return all.length;
}

/** Returns the rows that the window has now. */
export async function rows(driver: Driver): Promise<Shown[]> {
  return (await driver.evaluate(READ)) as Shown[];
}

/**
 * Returns the rows as text: indented, with `▾` for an expanded row, `▸` for a collapsed one, and two bars before the
 * description. Parts that depend on the clock or on the temporary folder are replaced. With `below`, only the row that
 * begins with it and the rows below it.
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
    .replace(/(?<=^|· )(?:now|\d+m)(?=$| ·)/, 'minutes')
    .replace(/[A-Z][a-z]{2} \d{1,4}(?=$| ·)/, 'a date')
    .replace(/\S*\/(?=code\/)/, '…/')
    .replace(/\S+\.jsonl/, '….jsonl');
}

/** Milliseconds after which a click counts as lost, because rows were replaced. */
const CLICK_AGAIN_MS = 2_000;

/** Expands the `nth` row whose name begins with `name`, and waits for its children. */
export async function open(driver: Driver, name: string, nth = 0): Promise<void> {
  let clicked = 0;
  await until(`what is below “${name}”`, async () => {
    const all = await rows(driver);
    const found = all.filter((row) => row.expanded !== null && row.name.startsWith(name))[nth];
    if (!found) return false;
    if (found.expanded === 'true') return (all[all.indexOf(found) + 1]?.level ?? 0) > found.level;
    if (Date.now() - clicked < CLICK_AGAIN_MS) return false;
    clicked = Date.now();
    const row = driver.page.locator(`${VIEW_ROWS}[id="${found.id}"]`).filter({ hasText: name });
    await row
      .locator('.monaco-tl-twistie')
      .first()
      .click({ timeout: CLICK_AGAIN_MS })
      .catch(() => undefined);
    return false;
  });
}

/** Closes the sessions below open projects: the editor remembers which of them a test before had opened. */
export async function closeSessions(driver: Driver): Promise<void> {
  await until('all sessions are closed', async () => {
    const opened = (await rows(driver)).find(({ level, expanded }) => level === 2 && expanded === 'true');
    if (!opened) return true;
    const row = driver.page.locator(`${VIEW_ROWS}[id="${opened.id}"]`).filter({ hasText: opened.name.slice(0, 20) });
    await row
      .locator('.monaco-tl-twistie')
      .first()
      .click({ timeout: CLICK_AGAIN_MS })
      .catch(() => undefined);
    return false;
  });
}

/** Polls for a state that no event reports. */
export async function until<T>(what: string, look: () => Promise<T | undefined | false>, limit = WAIT_LIMIT_MS): Promise<T> {
  const end = Date.now() + limit;
  for (;;) {
    const found = await look();
    if (found !== undefined && found !== false) return found;
    if (Date.now() > end) throw new Error(`${what}: timed out after ${String(limit)} ms`);
    await new Promise((resolve) => setTimeout(resolve, 40));
  }
}
