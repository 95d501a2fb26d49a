// How to show each surface of the extension in a window with the sample sessions. A surface waits until it's complete.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { project } from '../home.mjs';
import { resizeSidebar, row, SIDEBAR, sidebarWidth } from './appearance.mjs';

const TITLE = 'Fix the flaky checkout test';
const ANSWER = 'Fixed: all lines';
const PROMPT = 'What if one of the holds';
const QUICK_INPUT = '.quick-input-widget:visible';
/** A part of a line that an extension decorates. */
const DECORATION = '.monaco-editor [class*="TextEditorDecorationType"]';

/** @typedef {import('playwright-core').Page} Page */

/** The extension's texts in the language of the window, by the English ones. */
const texts = new Map();
const say = (text) => texts.get(text) ?? text;
/** The longest piece of a text with placeholders. */
const piece = (text) =>
  say(text)
    .split(/\{\w+\}/)
    .reduce((longest, part) => (part.length > longest.length ? part : longest))
    .trim();

/** @param {string | undefined} language such as `de`; English without one */
export async function speak(language) {
  texts.clear();
  if (language === undefined) return;
  const json = async (name) => JSON.parse(await readFile(join(project, name), 'utf8'));
  const translated = await json(`package.nls.${language}.json`);
  for (const [key, text] of Object.entries(await json('package.nls.json'))) texts.set(text, translated[key]);
  for (const [text, other] of Object.entries(await json(`l10n/bundle.l10n.${language}.json`))) texts.set(text, other);
}

/** @type {Record<string, (page: Page) => Promise<void>>} */
export const SURFACES = {
  sessions: async (page) => {
    await showEntries(page);
    await scrollTo(page, 'journal looks like');
    const branch = row(page, 'journal looks like');
    if ((await branch.getAttribute('aria-expanded')) !== 'true') await branch.locator('.monaco-tl-twistie').click();
    await scrollTo(page, 'write: src/holdJournal.ts');
    await aside(page);
  },
  // What is looked for first must be in sight at these widths, too.
  'sessions-200': (page) => showAtWidth(page, 200),
  'sessions-400': (page) => showAtWidth(page, 400),
  'sessions-unfinished': async (page) => {
    await run(page, 'Show Unfinished Only');
    await page.locator('.sidebar .message', { hasText: say('Unfinished Only') }).waitFor();
    await aside(page);
  },
  'sessions-by-day': async (page) => {
    await groupBy(page, 'Day');
    await row(page, say('Today')).waitFor();
    await row(page, 'Error recovery').locator('[class*="monaco-decoration-itemBadge"]').first().waitFor();
    await aside(page);
  },
  menu: (page) => openMenu(page, TITLE, 'Resume'),
  'menu-project': (page) => openMenu(page, 'webshop', 'New Session Here'),
  'menu-entry': async (page) => {
    await showEntries(page);
    await openMenu(page, ANSWER, 'Branch Here');
  },
  'menu-view': async (page) => {
    const header = pane(page, 'Sessions');
    await header.hover();
    await header.locator('.codicon-toolbar-more').click();
    await page.locator('.monaco-menu', { hasText: say('Undo Last Change') }).waitFor();
  },
  'hover-session': async (page) => {
    await row(page, TITLE).hover();
    await page.locator('.workbench-hover:visible, .monaco-hover:visible', { hasText: TITLE }).first().waitFor();
  },
  'hover-entry': async (page) => {
    await showEntries(page);
    const hover = page.locator('.workbench-hover:visible, .monaco-hover:visible', { hasText: 'all lines' }).first();
    // The list may move below the pointer.
    await until(hover, async () => {
      await aside(page);
      await row(page, ANSWER).hover();
    });
  },
  labels: async (page) => {
    await pane(page, 'Labels').click();
    // The Sessions view has a row of the same name.
    const labels = page.locator('.pane', { has: pane(page, 'Labels') }).locator('.monaco-list-row');
    await labels.filter({ hasText: 'webshop' }).first().waitFor();
    await labels.filter({ hasText: 'the fix' }).first().waitFor();
    await aside(page);
  },
  context: async (page) => {
    await openContext(page);
    await aside(page);
  },
  'context-details': async (page) => {
    const context = await openContext(page);
    await context.locator('.overview .disclosure').click();
    await context.locator('.details .kind-name').first().waitFor();
    await aside(page);
  },
  'context-narrow': async (page) => {
    await narrowEditor(page);
    await openContext(page);
    await aside(page);
  },
  'context-narrow-message': async (page) => {
    await narrowEditor(page);
    const context = await openContext(page);
    await context.locator('article.has-label').last().hover();
  },
  transcript: async (page) => {
    const context = await openContext(page);
    await context.getByText(say('Full transcript')).click();
    await context.locator('article.is-continuation').first().hover();
  },
  search: async (page) => {
    await run(page, 'Search Sessions…');
    await page.locator(`${QUICK_INPUT} .monaco-list-row`, { hasText: TITLE }).first().waitFor();
  },
  'search-results': async (page) => {
    await run(page, 'Search Sessions…');
    await page.locator(`${QUICK_INPUT} .monaco-list-row`).first().waitFor();
    await page.keyboard.type('stock');
    await page.locator(`${QUICK_INPUT} .quick-input-title`, { hasText: piece('{0} results') }).waitFor();
  },
  'go-to-session': async (page) => {
    await page.keyboard.press('Control+Alt+J');
    await page.locator(`${QUICK_INPUT} .monaco-list-row`, { hasText: TITLE }).first().waitFor();
  },
  filter: (page) => ask(page, 'Filter Entries…', 'All Entries'),
  sort: (page) => ask(page, 'Sort Sessions By…', 'Last Active'),
  tags: async (page) => {
    await row(page, TITLE).click();
    await page.keyboard.press('Shift+Alt+T');
    await page.locator(`${QUICK_INPUT} input`).first().waitFor();
  },
  branch: async (page) => {
    await showEntries(page);
    await row(page, ANSWER).click();
    await run(page, 'Branch Here…');
    await page.locator(`${QUICK_INPUT} .quick-input-message`, { hasText: 'Enter' }).first().waitFor();
  },
  archive: async (page) => {
    await row(page, 'Checkout with holds').click();
    await run(page, 'Archive');
    await undoButton(page).waitFor();
  },
  agents: async (page) => {
    await run(page, 'Let Agents Look Up Sessions…');
    await page.locator(`${QUICK_INPUT} .monaco-list-row`).first().waitFor();
  },
  'go-to-change': async (page) => {
    await row(page, TITLE).click();
    await ask(page, 'Go to Change…', 'checkout.ts');
  },
  'menu-context': async (page) => {
    const context = await openContext(page);
    await context.locator('article').last().click({ button: 'right' });
    await page.locator('.monaco-menu', { hasText: say('Branch Here…') }).waitFor();
  },
  find: async (page) => {
    const context = await openContext(page);
    await context.locator('article').last().click();
    await page.keyboard.press('Control+F');
    await context.getByPlaceholder(say('Find')).fill('hold');
    await context.locator('.find-count', { hasText: /\d/ }).waitFor();
  },
  rename: async (page) => {
    await row(page, TITLE).click();
    await page.keyboard.press('F2');
    await page.locator(`${QUICK_INPUT} .quick-input-message`, { hasText: 'Enter' }).first().waitFor();
  },
  'clean-up': (page) => ask(page, 'Clean Up Old Sessions…', 'Older than {days} days'),
  export: async (page) => {
    await row(page, TITLE).click();
    await ask(page, 'Export Session…', 'HTML');
  },
  locations: async (page) => {
    await ask(page, 'Show Session Folders and Programs', 'found');
  },
  settings: async (page) => {
    await run(page, 'Open Settings');
    await page.locator('.settings-editor .setting-item-contents').first().waitFor();
    await aside(page);
  },
  changes: async (page) => {
    await row(page, TITLE).click();
    await run(page, 'Open Changes');
    await page.locator('.monaco-diff-editor .view-line').first().waitFor();
    await aside(page);
  },
  markdown: async (page) => {
    await row(page, TITLE).click();
    await run(page, 'Open as Markdown');
    // The context's page, which the click opens first, has a title, too.
    await page.frameLocator('iframe.webview.ready').frameLocator('#active-frame').locator('.markdown-body h1').first().waitFor();
    await aside(page);
  },
  usage: async (page) => {
    await run(page, 'Show Usage');
    const preview = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
    await preview.getByText(say('By Model')).waitFor();
    await aside(page);
  },
  walkthrough: async (page) => {
    await runCommand(page, 'Welcome: Open Walkthrough');
    const item = page.locator(`${QUICK_INPUT} .monaco-list-row`, { hasText: 'Pi Session Tree' }).first();
    await item.waitFor();
    await item.click();
    await page
      .locator('.gettingStartedContainer', { hasText: say('See your sessions as a tree') })
      .first()
      .waitFor();
  },
  annotations: async (page) => {
    await openFile(page);
    await run(page, 'Toggle Session Annotations');
    await page.locator(DECORATION).first().waitFor();
    await aside(page);
  },
  heatmap: async (page) => {
    await openFile(page);
    await run(page, 'Toggle Session Heatmap');
    await page.locator(DECORATION).first().waitFor();
    await aside(page);
  },
  'hover-line': async (page) => {
    await openFile(page);
    await page.locator('.view-line', { hasText: 'Promise.allSettled(cart' }).locator('span', { hasText: 'results' }).last().hover();
    await page
      .locator('.monaco-hover a', { hasText: say('All Edits of This Line') })
      .first()
      .waitFor();
  },
  why: async (page) => {
    await openFile(page);
    await page.locator('.view-line', { hasText: 'Promise.allSettled(cart' }).click();
    await run(page, 'Why Is This Line Here?');
    await page.locator(`${QUICK_INPUT} .monaco-list-row`, { hasText: 'Too much' }).first().waitFor();
  },
  'file-versions': async (page) => {
    await openFile(page);
    await runCommand(page, `Pi Session Tree: Focus on ${say('File Versions')} View`);
    // The Sessions view has rows with the same words.
    await page
      .locator('.pane', { has: pane(page, 'File Versions') })
      .locator('.monaco-list-row', { hasText: 'Too much' })
      .first()
      .waitFor();
    await aside(page);
  },
};

/** Surfaces of a window whose workspace is a repository with changes. @type {Record<string, (page: Page) => Promise<void>>} */
export const REPOSITORY_SURFACES = {
  review: async (page) => {
    await reviewAll(page);
    // Beside lines that a session wrote.
    await page.locator(`.multiDiffEntry ${DECORATION}`).first().waitFor();
    await aside(page);
  },
  'review-comments': async (page) => {
    await openFile(page);
    // The comment of an earlier picture stays.
    if (!(await pane(page, 'Review Comments').isVisible())) {
      await page.locator('.view-line', { hasText: 'Promise.allSettled(cart' }).click();
      await page.locator('.comment-range-glyph').first().waitFor();
      // The editor looks whether a line can have comments when the cursor moves.
      await page.keyboard.press('Home');
      await runCommand(page, 'Comments: Add Comment on Current Selection');
      await page.locator('.review-widget .comment-form .monaco-editor.focused').waitFor();
      await page.keyboard.type('Why wait for all holds, and not only for the first one that fails?');
      await page.locator('.review-widget .monaco-button', { hasText: say('Add Comment') }).click();
    }
    await pane(page, 'Review Comments').waitFor();
    await page
      .locator('.pane', { has: pane(page, 'Review Comments') })
      .locator('.monaco-list-row', { hasText: 'Why wait' })
      .waitFor();
    await aside(page);
  },
  restore: async (page) => {
    await showEntries(page);
    await scrollTo(page, PROMPT);
    await row(page, PROMPT).click();
    await run(page, 'Restore Files to This Point…');
    await page.locator('.multiDiffEntry .view-line').first().waitFor();
    await page.locator('.part.sidebar .monaco-list-row', { hasText: 'checkout' }).first().waitFor();
    await aside(page);
  },
  lookups: async (page) => {
    await run(page, 'What Agents Looked Up');
    await page.locator('.editor-instance .view-line').first().waitFor();
    await aside(page);
  },
  describe: async (page) => {
    await run(page, 'Describe Changes…');
    await page
      .locator(`${QUICK_INPUT} .monaco-list-row`, { hasText: say('Uncommitted Changes') })
      .first()
      .click();
    await page.locator('.tab.active', { hasText: 'Untitled' }).waitFor();
    await aside(page);
  },
};

/** Surfaces of a window without sessions. @type {Record<string, (page: Page) => Promise<void>>} */
export const EMPTY_SURFACES = {
  welcome: async (page) => {
    await page.locator('.pane-body .welcome-view-content .monaco-button').first().waitFor();
  },
};

/** Closes everything that a surface opened. @param {Page} page */
export async function reset(page) {
  if (await undoButton(page).isVisible()) await undoButton(page).click();
  for (let times = 0; times < 3; times++) await page.keyboard.press('Escape');
  if (Math.abs((await sidebarWidth(page)) - SIDEBAR) > 2) await resizeSidebar(page, SIDEBAR);
  // A document that isn't saved would ask.
  if (await page.locator('.tab.active.dirty').isVisible()) await runCommand(page, 'View: Revert and Close Editor');
  await runCommand(page, 'View: Close All Editors');
  if (await page.locator('.part.panel').isVisible()) await page.keyboard.press('Control+J');
  await runCommand(page, 'Notifications: Clear All Notifications');
  if (await page.locator('.sidebar .message', { hasText: piece('Filters: {0}') }).isVisible()) await run(page, 'Clear Filters');
  if (await row(page, say('Today')).isVisible()) {
    await groupBy(page, 'Project');
    await row(page, 'webshop').waitFor();
  }
  if (!(await pane(page, 'Sessions').isVisible())) await runCommand(page, `Pi Session Tree: Focus on ${say('Sessions')} View`);
  await page.locator('.part.activitybar').getByRole('tab', { name: 'Pi Session Tree' }).click();
  await pane(page, 'Sessions').waitFor();
  const sessions = page.locator('.pane', { has: pane(page, 'Sessions') }).locator('.monaco-list');
  if (await sessions.isVisible()) {
    await sessions.focus();
    await page.keyboard.press('Home');
    const expanded = page.locator('.pane-body .monaco-list-row[aria-expanded="true"]', { hasText: TITLE }).first();
    if (await expanded.isVisible()) await expanded.locator('.monaco-tl-twistie').click();
  }
  for (const title of ['Labels', 'File Versions']) {
    const header = pane(page, title);
    if ((await header.getAttribute('aria-expanded')) === 'true') await header.click();
  }
  await aside(page);
}

/** @param {Page} page @param {string} title of the command, in English */
const run = (page, title) => runCommand(page, `Pi Session Tree: ${say(title)}`);

/**
 * Runs a command of the palette, which closes when a page takes the focus late. Nothing reports that, so it's opened until the
 * command has been found.
 * @param {Page} page @param {string} title of the command, with its category
 */
async function runCommand(page, title) {
  const found = page.locator(`.quick-input-list .monaco-list-row[aria-label^=${JSON.stringify(title)}]`).first();
  await until(found, async () => {
    await page.keyboard.press('F1');
    await page.locator(`${QUICK_INPUT} input`).first().fill(`>${title}`);
  });
  await found.click();
}

/** Does something, at most six times, until it has shown an element. */
async function until(element, show) {
  for (let times = 0; times < 6; times++) {
    await show();
    const isShown = element.waitFor({ timeout: 3000 }).then(
      () => true,
      () => false,
    );
    if (await isShown) return;
  }
  throw new Error(`Not shown: ${element}`);
}

const undoButton = (page) => page.locator('.notification-toast .monaco-button', { hasText: say('Undo') });

async function showAtWidth(page, width) {
  await resizeSidebar(page, width);
  await row(page, TITLE).waitFor();
  await aside(page);
}

async function groupBy(page, name) {
  await run(page, 'Group Sessions By…');
  await page
    .locator(`${QUICK_INPUT} .monaco-list-row`, { hasText: say(name) })
    .first()
    .click();
}

/** The editor drops a menu when its row is replaced, and nothing reports it. */
async function openMenu(page, text, item) {
  await until(page.locator('.monaco-menu', { hasText: say(item) }), () => row(page, text).click({ button: 'right' }));
}

/** Runs a command that shows a list. */
async function ask(page, title, item) {
  await run(page, title);
  await page
    .locator(`${QUICK_INPUT} .monaco-list-row`, { hasText: piece(item) })
    .first()
    .waitFor();
}

/** Leaves 300 pixels to the editor. */
async function narrowEditor(page) {
  const { x } = await page.locator('.part.sidebar').boundingBox();
  await resizeSidebar(page, page.viewportSize().width - x - 300);
}

async function showEntries(page) {
  const session = row(page, TITLE);
  if ((await session.getAttribute('aria-expanded')) !== 'true') await session.locator('.monaco-tl-twistie').click();
  await scrollTo(page, ANSWER);
}

/** Scrolls the Sessions view down until it shows a whole row: a low window has only some of them. */
async function scrollTo(page, text) {
  const list = page.locator('.pane-body .monaco-list').first();
  await list.hover();
  const found = row(page, text);
  const isThere = async () => {
    const isDrawn = await found.waitFor({ timeout: 1000 }).then(
      () => true,
      () => false,
    );
    const [box, view] = isDrawn ? [await found.boundingBox(), await list.boundingBox()] : [];
    return box && view && box.y + box.height <= view.y + view.height;
  };
  for (let steps = 0; !(await isThere()) && steps < 30; steps++) await page.mouse.wheel(0, 66);
}

async function openContext(page) {
  await showEntries(page);
  await row(page, ANSWER).click();
  // In a low window, the hover of the row covers the page.
  await aside(page);
  const context = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  await context.locator('article').last().waitFor();
  await context.getByText(say('counting…')).waitFor({ state: 'hidden' });
  return context;
}

async function openFile(page) {
  await page.keyboard.press('Control+P');
  await page.locator(`${QUICK_INPUT} input`).fill('checkout.ts');
  await page.locator('.quick-input-list .monaco-list-row', { hasText: 'src' }).first().click();
  await page.locator('.tab.active', { hasText: 'checkout.ts' }).waitFor();
}

async function reviewAll(page) {
  await run(page, 'Review Changes in Working Tree…');
  await page
    .locator(`${QUICK_INPUT} .monaco-list-row`, { hasText: say('All Files') })
    .first()
    .click();
  await page.locator('.multiDiffEntry .view-line', { hasText: 'allSettled' }).first().waitFor();
}

const pane = (page, title) => page.locator('.pane-header', { hasText: say(title) }).first();

/** Moves the pointer to where it points at nothing. */
function aside(page) {
  const { width, height } = page.viewportSize();
  return page.mouse.move(width / 2, height - 10);
}
