// npm test: the checks, npm start, the unit tests, and the main job inside a real VS Code.
// npm run test:all [-- --electron]: the same, and everything else
// npm run test:rest [-- --electron]: everything else, after npm test
// npm run test:unit [-- mocha's and Node's flags]
// npm run coverage [-- mocha's and Node's flags]
// npm run test:editor [-- --grep pattern] [--oldest] [--electron]
import { performance } from 'node:perf_hooks';
import { exitOnSignals } from './processes.mjs';
import { build, checks, coverage, PACKAGE, packaged, publishedTypes, starting, suite, unit, whenBegun, windows } from './steps.mjs';

exitOnSignals();

const [part, ...rest] = ['all', 'rest', 'unit', 'coverage', 'editor'].includes(process.argv[2])
  ? process.argv.slice(2)
  : ['test', ...process.argv.slice(2)];

const desktop = rest.includes('--electron') || process.env.VSCODE_EXECUTABLE_PATH !== undefined;
const oldest = rest.includes('--oldest');
const grep = valueOf('--grep');

/** @typedef {[title: string, step: () => Promise<import('./steps.mjs').Result>]} Step */
/** @typedef {(Step | { together: Sequence[] })[]} Sequence `together`: sequences that run at the same time */

const editor = desktop ? 'desktop' : 'current';

/** The checks beside `npm start`, which builds, then the unit tests beside the main job in an editor. @type {Sequence} */
const forPeople = [
  {
    together: [
      [['Checks', checks]],
      [
        // It builds, as a newcomer's first start does, so nothing that needs the build may run beside it.
        ['npm start', starting],
        {
          together: [
            [['The main job in VS Code', () => suite({ editor, grep: '@main' })]],
            [['Unit tests', () => unit([], { isCounted: true, part: 'others' })]],
          ],
        },
      ],
    ],
  },
];

/** Needs the build and the counts of `forPeople`. @type {Sequence} */
const everythingElse = [
  {
    together: [
      // What takes longest first.
      [[desktop ? 'VS Code' : 'VS Code, from the registry', () => suite({ editor })]],
      [['Windows from outside', windows]],
      [['The oldest supported VS Code', () => suite({ editor: 'oldest', grep: '@oldest' })]],
      [
        ['The package', packaged],
        ['The main job with the package', () => suite({ editor, grep: '@main', extension: PACKAGE })],
      ],
      [['Heavy unit tests', () => unit([], { part: 'heavy' })]],
      [['Coverage', coverage]],
      [['Types of the core', publishedTypes]],
    ],
  },
];

/** @type {Record<string, Sequence>} */
const parts = {
  test: forPeople,
  all: [...forPeople, ...everythingElse],
  rest: everythingElse,
  unit: [
    ['Build', build],
    ['Unit tests', () => unit(rest)],
  ],
  coverage: [
    ['Build', build],
    ['Unit tests', () => unit(rest, { isCounted: true })],
    ['Coverage', coverage],
  ],
  editor: [
    ['Build', build],
    ['VS Code', () => suite({ editor: desktop ? 'desktop' : oldest ? 'oldest' : 'current', oldest, grep })],
  ],
};

const failures = [];
/** The failed tests of each step, as text. @type {string[]} */
const reports = [];
const total = { passed: 0, failed: 0, skipped: 0 };
await runSequence(parts[part]);

/** Runs a sequence up to a step that fails to build. @param {Sequence} sequence */
async function runSequence(sequence) {
  for (const item of sequence) {
    await ('together' in item ? Promise.all(item.together.map(runSequence)) : runStep(item));
    if (failures.includes('Build') || failures.includes('npm start')) return;
  }
}

/** @param {Step} step */
async function runStep([title, step]) {
  let started;
  const begins = () => {
    if (started === undefined) console.log(`\n▶ ${title}`);
    started ??= performance.now();
  };
  const {
    ok,
    passed = 0,
    failed = 0,
    skipped = 0,
    report = '',
  } = await whenBegun.run(begins, step).catch((error) => {
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
  const seconds = ((performance.now() - (started ?? performance.now())) / 1000).toFixed(1);
  console.log(`${ok ? '✓' : '✗'} ${title}, ${seconds} s${tests}`);
  if (!ok) failures.push(title);
  if (!ok && report !== '') reports.push(`\n✗ ${title}${report}`);
}

if (total.skipped > 0) console.log(`\n${total.skipped} skipped`);
// The failed tests appear once more, because logs are often cut to their end.
for (const report of reports) console.log(report);
if (failures.length > 0) console.log(`\nFailed: ${failures.join(', ')}`);
console.log(`\n${total.passed} passed, ${total.failed} failed`);
process.exitCode = failures.length > 0 ? 1 : 0;

/** The value in `--grep value` or `--grep=value`. */
function valueOf(flag) {
  const at = rest.findIndex((argument) => argument === flag || argument.startsWith(`${flag}=`));
  if (at < 0) return undefined;
  return rest[at] === flag ? rest[at + 1] : rest[at].slice(flag.length + 1);
}
