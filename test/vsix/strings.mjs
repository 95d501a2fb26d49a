// Collects every sentence that the extension may show into l10n/bundle.l10n.json, for translators, and brings the
// translations (l10n/bundle.l10n.*.json, package.nls.*.json) into the same order, without sentences that are gone. With
// --check it only reports whether the first file is current; test/unit/vsix/translations.test.ts checks the translations.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { sourceTexts } from '../../build/sourceTexts.mjs';

const BUNDLE = 'l10n/bundle.l10n.json';
const modules = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));
const found = sourceTexts(modules.map((name) => join('src', name)));
const text = `${JSON.stringify(Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1))), null, 2)}\n`;
const current = readFileSync(BUNDLE, 'utf8');
if (!process.argv.includes('--check')) {
  writeFileSync(BUNDLE, text);
  console.log(`${BUNDLE}: ${found.size} sentences`);
  for (const [english, translation] of translations()) arrange(english, translation);
} else if (current !== text) {
  console.error(`${BUNDLE} is not current: npm run strings rewrites it.`);
  process.exitCode = 1;
}

/** Yields each file of translations with the file of the sentences it translates. */
function* translations() {
  for (const name of readdirSync('l10n').sort()) {
    if (/^bundle\.l10n\.[a-z-]+\.json$/.test(name)) yield [BUNDLE, join('l10n', name)];
  }
  for (const name of readdirSync('.').sort()) {
    if (/^package\.nls\.[a-z-]+\.json$/.test(name)) yield ['package.nls.json', name];
  }
}

/** Brings a file of translations into the order of the English file, and reports what it lacks. */
function arrange(english, translation) {
  const keys = Object.keys(JSON.parse(readFileSync(english, 'utf8')));
  const translated = JSON.parse(readFileSync(translation, 'utf8'));
  const missing = keys.filter((key) => translated[key] === undefined);
  const kept = keys.filter((key) => translated[key] !== undefined);
  writeFileSync(translation, `${JSON.stringify(Object.fromEntries(kept.map((key) => [key, translated[key]])), null, 2)}\n`);
  if (missing.length > 0) console.log([`${translation} lacks ${missing.length}:`, ...missing].join('\n  '));
}
