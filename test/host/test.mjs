// npm test: the checks, the unit tests, and the suite inside a real VS Code.
// npm run test:unit [-- mocha's and Node's flags]
// npm run coverage [-- mocha's and Node's flags]
// npm run mutations [-- --only part of a rule or file]
// npm run mutations:editor [-- --only part of a file] [--unit]
// npm run test:editor [-- --grep pattern] [--oldest] [--electron]
import { performance } from 'node:perf_hooks';
import { exitOnSignals } from './processes.mjs';
import { build, checks, coverage, editorMutations, mutations, publishedTypes, starting, suite, unit, windows } from './steps.mjs';

exitOnSignals();

const [part, ...rest] = ['unit', 'coverage', 'mutations', 'mutations:editor', 'editor'].includes(process.argv[2])
  ? process.argv.slice(2)
  : ['all', ...process.argv.slice(2)];

const desktop = rest.includes('--electron') || process.env.VSCODE_EXECUTABLE_PATH !== undefined;
const oldest = rest.includes('--oldest');
const grep = valueOf('--grep');

/** @typedef {[title: string, step: () => Promise<import('./steps.mjs').Result>]} Step */

/** @type {Record<string, (Step | { together: Step[][] })[]>} `together`: sequences of steps that run at the same time */
const parts = {
  all: [
    {
      together: [
        [['Checks', checks]],
        [
          // Comes before the build of the tests, because it builds, too.
          ['npm start', starting],
          ['Build', build],
          ['Types of the core', publishedTypes],
        ],
      ],
    },
    ['Unit tests and their coverage', () => coverage([])],
    {
      // At most two editors run at a time. The short tests come last, so that both processors have work until the end.
      together: [
        [[desktop ? 'VS Code' : 'VS Code, from the registry', () => suite({ editor: desktop ? 'desktop' : 'current', grep })]],
        [
          ['The oldest supported VS Code', () => suite({ editor: 'oldest', grep: '@oldest' })],
          ['Windows from outside', windows],
        ],
      ],
    },
    ['A sample of the mutations', () => mutations({ isSample: true })],
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
    ['Mutations', () => mutations({ only: valueOf('--only') })],
  ],
  'mutations:editor': [
    ['Build', () => build('--faults')],
    ['Faults in the editor’s folders', () => editorMutations({ only: valueOf('--only'), unit: rest.includes('--unit') })],
  ],
  editor: [
    ['Build', build],
    ['VS Code', () => suite({ editor: desktop ? 'desktop' : oldest ? 'oldest' : 'current', oldest, grep })],
  ],
};

const failures = [];
const total = { passed: 0, failed: 0, skipped: 0 };
for (const item of parts[part]) {
  const sequences = 'together' in item ? item.together : [[item]];
  await Promise.all(sequences.map(runAll));
  if (failures.includes('Build')) break;
}

/** @param {Step[]} steps */
async function runAll(steps) {
  for (const step of steps) await runStep(step);
}

/** @param {Step} step */
async function runStep([title, step]) {
  console.log(`\n▶ ${title}`);
  const started = performance.now();
  const {
    ok,
    passed = 0,
    failed = 0,
    skipped = 0,
    report = '',
  } = await step().catch((error) => {
    // Intended errors have a message for people. Any other error is a bug of this program.
    console.error(error.name === 'Error' ? error.message : error.stack);
    return { ok: false };
  });
  total.passed += passed;
  total.skipped += skipped;
  // A step that failed without naming a test counts as a failure, too.
  total.failed += ok ? 0 : Math.max(1, failed);
  if (report !== '') console.log(report);
  const tests = passed + failed + skipped > 0 ? `: ${passed} passed, ${failed} failed, ${skipped} skipped` : '';
  console.log(`${ok ? '✓' : '✗'} ${title}, ${((performance.now() - started) / 1000).toFixed(1)} s${tests}`);
  if (!ok) failures.push(title);
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
