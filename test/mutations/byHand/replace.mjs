// Loaded before everything else, in the process of the tests and in each of its threads: replaces the module at
// MUTATION_PATH by the text MUTATION_CODE. A thread gets a copy of its process's environment.
import Module from 'node:module';

const loadJs = Module._extensions['.js'];
Module._extensions['.js'] = (module, path) =>
  path === process.env.MUTATION_PATH ? module._compile(process.env.MUTATION_CODE, path) : loadJs(module, path);
