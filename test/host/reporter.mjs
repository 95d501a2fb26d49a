// Prints mocha's usual report, and writes its counts as JSON to the file that PST_COUNTS names.
import { writeFileSync } from 'node:fs';
import Mocha from 'mocha';

/** mocha requires a reporter to be a module's default export. */
export default class Counting extends Mocha.reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    runner.once(Mocha.Runner.constants.EVENT_RUN_END, () => writeFileSync(process.env.PST_COUNTS, JSON.stringify(this.stats)));
  }
}
