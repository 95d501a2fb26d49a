// npm run mutations -- src/tree                               the mutants of a folder, by Stryker
// npm run mutations -- src/tree --plant 12 [--grep pattern]   one of them, with the editor tests
// npm run mutations -- by-hand [--only part of a rule or file]
import { parseArgs } from 'node:util';
import { exitOnSignals } from '../host/processes.mjs';
import { build, inFastFolder, whenBegun } from '../host/steps.mjs';
import { runMutations } from './byHand/run.mjs';
import { mutateFolder, plantInEditor } from './stryker.mjs';

exitOnSignals();

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { plant: { type: 'string' }, grep: { type: 'string' }, only: { type: 'string' } },
});
const [what] = positionals;

async function byHand() {
  const { ok } = await whenBegun.run(() => undefined, build);
  return ok ? await inFastFolder((env) => runMutations({ only: values.only, env })) : { ok };
}

async function run() {
  if (what === undefined) throw new Error('Name a folder such as src/tree, or by-hand.');
  if (what === 'by-hand') return await byHand();
  const folder = what.replace(/\/$/, '');
  return values.plant === undefined ? await mutateFolder(folder) : await plantInEditor(folder, values.plant, values.grep);
}

const { ok } = await run().catch((error) => {
  // Intended errors have a message for people. Any other error is a bug of this program.
  console.error(error.name === 'Error' ? error.message : error.stack);
  return { ok: false };
});
process.exitCode = ok ? 0 : 1;
