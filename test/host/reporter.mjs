// Prints mocha's usual report without its end, which it writes as JSON to the file that PST_COUNTS names: the counts,
// and the failures as text. The step prints the failures of all processes together.
import { writeFileSync } from 'node:fs';
import { format } from 'node:util';
import Mocha from 'mocha';
import { withSourcePositions } from './sourcePositions.mjs';

const { Base, Spec } = Mocha.reporters;

/** mocha requires a reporter to be a module's default export. */
export default class Counting extends Spec {
  epilogue() {
    const { PST_COUNTS: path } = process.env;
    if (!path) return super.epilogue();
    const report = withSourcePositions(textOf(() => Base.list(this.failures)));
    writeFileSync(path, JSON.stringify({ ...this.stats, report }));
  }
}

/** @param {() => void} print uses mocha's console */
function textOf(print) {
  const lines = [];
  const { consoleLog } = Base;
  Base.consoleLog = (...line) => lines.push(format(...line));
  try {
    print();
  } finally {
    Base.consoleLog = consoleLog;
  }
  return lines.join('\n');
}
