// npm run publish:marketplaces [-- --dry-run]: publishes the package that `npm run package` made, in the Visual Studio Marketplace and
// in Open VSX. The tokens are in VSCE_PAT and OVSX_PAT, where both programs look for them. With --dry-run it only checks
// the package, the version and the tag.
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { problemsOf } from './publishable.mjs';

/** Isn't among the project's packages, because it needs Node 22. */
const OVSX = 'ovsx@1.3.0';

const isDry = process.argv.includes('--dry-run');
const { name, version } = JSON.parse(readFileSync('package.json', 'utf8'));
const file = `${name}-${version}.vsix`;
const problems = problemsOf({
  file: existsSync(file) ? file : undefined,
  version,
  changelog: readFileSync('CHANGELOG.md', 'utf8'),
  env: process.env,
  isDry,
});
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exit(1);
}
if (isDry) {
  console.log(`${file} could be published.`);
} else {
  const options = { stdio: 'inherit', shell: process.platform === 'win32' };
  execFileSync(process.execPath, [join('node_modules', '@vscode', 'vsce', 'vsce'), 'publish', '--skip-duplicate', '--packagePath', file], {
    stdio: 'inherit',
  });
  execFileSync('npx', ['--yes', '--ignore-scripts', OVSX, 'publish', '--skip-duplicate', file], options);
}
