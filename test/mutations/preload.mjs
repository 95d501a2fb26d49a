// Loaded first in the processes of Stryker.
import Module from 'node:module';

// Its mocha runner requires files of mocha without their ending, which is `.cjs` in mocha 12.
Module._extensions['.cjs'] = Module._extensions['.js'];

// Threads and child processes that a test starts take the active mutant from their environment.
let active;
globalThis.__stryker__ = {
  get activeMutant() {
    return active;
  },
  set activeMutant(id) {
    active = id;
    if (id === undefined) delete process.env.__STRYKER_ACTIVE_MUTANT__;
    else process.env.__STRYKER_ACTIVE_MUTANT__ = id;
  },
};
