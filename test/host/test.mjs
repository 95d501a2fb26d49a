// npm test: the checks, the unit tests, and the suite inside a real VS Code.
// npm run test:unit [-- mocha's and Node's flags]
// npm run coverage [-- mocha's and Node's flags]
// npm run mutations [-- --only part of a rule or file]
// npm run mutations:editor [-- --only part of a file]
// npm run test:editor [-- --grep pattern] [--oldest | --electron]
import { performance } from 'node:perf_hooks';
import { exitOnSignals } from './processes.mjs';
import { build, checks, coverage, editorMutations, mutations, publishedTypes, starting, suite, unit } from './steps.mjs';

exitOnSignals();

const [part, ...rest] = ['unit', 'coverage', 'mutations', 'mutations:editor', 'editor'].includes(process.argv[2])
  ? process.argv.slice(2)
  : ['all', ...process.argv.slice(2)];

const desktop = rest.includes('--electron') || process.env.VSCODE_EXECUTABLE_PATH !== undefined;
const grep = valueOf('--grep');

/** @type {Record<string, [title: string, step: () => Promise<import('./steps.mjs').Result>][]>} */
const parts = {
  all: [
    ['Checks', checks],
    ['Build', build],
    ['Types of the core', publishedTypes],
    ['Unit tests and their coverage', () => coverage([])],
    ['Mutations', () => mutations()],
    // Before the suites, because it builds again, and so removes what they keep of a failure.
    ['npm start', starting],
    [desktop ? 'VS Code' : 'VS Code, from the registry', () => suite({ editor: desktop ? 'desktop' : 'current', grep })],
    ['The oldest supported VS Code', () => suite({ editor: 'oldest', grep: '@oldest' })],
  ],
  unit: [
    ['Build', build],
    ['Unit tests', () => unit(rest)],
  ],
  coverage: [
    ['Build', build],
    ['Unit tests and their coverage', () => coverage(rest)],
  ],
  mutations: [
    ['Build', build],
    ['Mutations', () => mutations(valueOf('--only'))],
  ],
  'mutations:editor': [
    ['Build', () => build('--faults')],
    ['Faults in the editor’s folders', () => editorMutations(valueOf('--only'))],
  ],
  editor: [
    ['Build', build],
    ['VS Code', () => suite({ editor: rest.includes('--oldest') ? 'oldest' : desktop ? 'desktop' : 'current', grep })],
  ],
};

const failures = [];
const total = { passed: 0, failed: 0, skipped: 0 };
for (const [title, step] of parts[part]) {
  console.log(`\n▶ ${title}`);
  const started = performance.now();
  const {
    ok,
    passed = 0,
    failed = 0,
    skipped = 0,
  } = await step().catch((error) => {
    // What is thrown on purpose is in words; anything else is a fault in here.
    console.error(error.name === 'Error' ? error.message : error.stack);
    return { ok: false };
  });
  total.passed += passed;
  total.skipped += skipped;
  // A step that failed without saying which test did is a failure too.
  total.failed += ok ? 0 : Math.max(1, failed);
  console.log(`${ok ? '✓' : '✗'} ${title}, ${((performance.now() - started) / 1000).toFixed(1)} s`);
  if (!ok) failures.push(title);
  if (!ok && title === 'Build') break;
}

if (total.skipped > 0) console.log(`\n${total.skipped} skipped`);
if (failures.length > 0) console.log(`\nFailed: ${failures.join(', ')}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;

/** The value in `--grep value` or `--grep=value`. */
function valueOf(flag) {
  const at = rest.findIndex((argument) => argument === flag || argument.startsWith(`${flag}=`));
  if (at < 0) return undefined;
  return rest[at] === flag ? rest[at + 1] : rest[at].slice(flag.length + 1);
}
