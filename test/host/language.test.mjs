// Windows in other languages: the manifest, the extension and the context view have their translations.
import assert from 'node:assert/strict';
import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { contextFrame, offers, openEditor, until } from './editor.mjs';
import { makeHome, project } from './home.mjs';
import { exitOnSignals } from './processes.mjs';

exitOnSignals();

const json = async (name) => JSON.parse(await readFile(join(project, name), 'utf8'));

describe('a window in another language', function () {
  this.timeout(240_000);
  let home, editor;
  beforeEach(async () => {
    home = await makeHome();
  });
  afterEach(async () => {
    await editor?.close();
    home.remove();
  });

  for (const language of ['de', 'fr']) {
    it(`shows views, messages and the context view in the language ${language}`, async () => {
      const manifest = await json(`package.nls.${language}.json`);
      const texts = await json(`l10n/bundle.l10n.${language}.json`);
      editor = await openEditor(home);
      const { page } = editor;
      // As with a language pack, which has the editor's own texts in addition.
      await page.addInitScript((name) => (globalThis._VSCODE_NLS_LANGUAGE = name), language);
      await editor.showSessions(page, manifest['container.title']);
      const row = page.locator('.sidebar .monaco-list-row', { hasText: 'Fix the flaky checkout test' }).first();
      const spoken = await row.getAttribute('aria-label');
      assert.ok(spoken.includes(`, ${texts.session}, `), spoken);
      await offers(row, manifest['command.showContext']);
      await row.click();
      let frame;
      await until(
        async () => (frame = await contextFrame(page)) !== undefined,
        () => 'the context view does not show',
      );
      await frame.getByRole('button', { name: texts['Full transcript'], exact: true }).waitFor();
      const folder = join(project, 'out', 'artifacts', 'language');
      await mkdir(folder, { recursive: true });
      await page.screenshot({ path: join(folder, `${language}.png`) });
    });
  }
});
