// Lists the texts of the page beside it: the keys of the sentences in its modules. An export has the translations of these only.
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { sourceTexts } from './sourceTexts.mjs';

/** The name of the list. */
const LIST = 'page.texts.json';

/** @type {import('esbuild').Plugin} For builds with one script. */
export const pageTexts = {
  name: 'page texts',
  setup: (build) => {
    const { outdir } = build.initialOptions;
    build.initialOptions.metafile = true;
    build.onEnd(async ({ metafile }) => {
      if (!metafile) return;
      const modules = Object.values(metafile.outputs).flatMap(({ inputs }) =>
        Object.keys(inputs).filter((path) => path.endsWith('.ts') && inputs[path].bytesInOutput > 0),
      );
      await mkdir(outdir, { recursive: true });
      await writeFile(join(outdir, LIST), `${JSON.stringify([...sourceTexts(modules).keys()].sort())}\n`);
    });
  },
};
