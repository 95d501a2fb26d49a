/** The program that the editor runs after uninstalling the extension (`vscode:uninstall` in `package.json`). Its bundle is in the folder `dist`. */
import { dirname } from 'node:path';
import { currentEnvironment } from '../../core/index';
import { extensionsFolder } from './install';
import { takeBackOf } from './takeBackAll';

void takeBackOf(currentEnvironment(), extensionsFolder(dirname(__dirname)), (error) => {
  process.stderr.write(`${String(error)}\n`);
  process.exitCode = 1;
});
