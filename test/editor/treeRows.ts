// Reads the rows of the Sessions view like a person, and opens them.
import { basename } from 'node:path';
import * as vscode from 'vscode';
import { own } from './editorSuite';
import { choose } from './menus';
import { driver } from './driver';
import { eventually } from './waiting';

/** A visible row. */
interface Shown {
  /** The element's id. */
  readonly id: string;
  readonly level: number;
  /** `null` if it can't be expanded. */
  readonly expanded: string | null;
  readonly name: string;
  readonly description: string;
  /** The text at the right edge: the age of a session. */
  readonly badge: string;
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
    badge: getComputedStyle(row.querySelector('.monaco-icon-label') ?? row, '::after').content.replace(/^"|"$|^none$/g, ''),
    spoken: row.getAttribute('aria-label') ?? '',
  }))`;

/** Shows the view with every project collapsed. */
export async function showClosed(): Promise<void> {
  await vscode.commands.executeCommand('sessionTree.sessions.focus');
  // Closed before the refresh, too: the editor restores what was open below a closed row when its refresh began.
  await closeAll();
  await vscode.commands.executeCommand('sessionTree.refresh');
  await eventually('all rows are closed', async () => (await closeAll()) > 0);
}

/** Closes all rows, and resolves to their number. */
async function closeAll(): Promise<number> {
  let all: readonly Shown[] = [];
  await eventually('no row is open', async () => {
    await vscode.commands.executeCommand('workbench.actions.treeView.sessionTree.sessions.collapseAll');
    all = await rows();
    return all.every(({ level }) => level === 1);
  });
  return all.length;
}

/** Closes all rows but the one of the test's project. */
export async function showProject(): Promise<void> {
  await vscode.commands.executeCommand('workbench.actions.treeView.sessionTree.sessions.collapseAll');
  await open(basename(own.cwd));
}

/** Selects the first row whose accessible name has the text. */
export const row = (text: string): string => `.sidebar [role=treeitem][aria-label*=${JSON.stringify(text)}]`;

/** Chooses an entry of a row's menu. */
export const menu = (text: string, ...labels: readonly string[]): Promise<void> =>
  choose(() => driver.find(row(text)).click({ button: 'right' }), ...labels);

/** Returns the rows that the window has now. */
export async function rows(): Promise<Shown[]> {
  return (await driver.evaluate(READ)) as Shown[];
}

/**
 * Returns the rows as text: indented, with `▾` for an expanded row, `▸` for a collapsed one, two bars before the
 * description, and the badge in brackets. Parts that depend on the clock or on the temporary folder are replaced. With `below`, only the row that
 * begins with it and the rows below it.
 */
export async function picture(below?: string): Promise<string> {
  let all = await rows();
  if (below !== undefined) {
    const from = all.findIndex(({ name }) => name.startsWith(below));
    const after = all.findIndex(({ level }, index) => index > from && level <= all[from]!.level);
    all = from < 0 ? [] : all.slice(from, after < 0 ? undefined : after);
  }
  const first = all[0]?.level ?? 1;
  return all
    .map(({ level, expanded, name, description, badge }) => {
      const twistie = expanded === null ? '' : expanded === 'true' ? '▾ ' : '▸ ';
      const grey = description === '' ? '' : ` ‖ ${steady(description)}`;
      const edge = badge === '' || badge === '●' ? '' : ` [${steady(badge)}]`;
      return `${'  '.repeat(level - first)}${twistie}${steady(name.replaceAll('\u00a0', ' '))}${grey}${edge}`;
    })
    .join('\n');
}

function steady(text: string): string {
  return (
    text
      .replace(/(?<=^|· )(?:now|·|\d+m|[¼½¾]h)(?=$| ·)/, 'minutes')
      // From ten hours on, ages depend on the time of the day.
      .replace(/(?<=^|· )(?:\d\dh|[\d½]d|[\d¼½¾][wMy]|[A-Z][a-z]{2} \d{1,4})(?=$| ·)/, 'days')
      .replace(/\S*\/(?=code\/)/, '…/')
      .replace(/\S+\.jsonl/, '….jsonl')
  );
}

/** Milliseconds after which a click counts as lost, because rows were replaced. */
const CLICK_AGAIN_MS = 2_000;

/** Expands the `nth` row whose name begins with `name`, and waits for its children. */
export async function open(name: string, nth = 0): Promise<void> {
  let clicked = 0;
  await eventually(`what is below “${name}”`, async () => {
    const all = await rows();
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
export async function closeSessions(): Promise<void> {
  await eventually('all sessions are closed', async () => {
    const opened = (await rows()).find(({ level, expanded }) => level === 2 && expanded === 'true');
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
