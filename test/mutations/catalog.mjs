// The catalog's database: what was changed since it was written isn't taken, and is made anew.
import { of } from './row.mjs';

const seal = 'catalog/sealedFile';
const damage = 'catalog/databaseErrors';

export const catalog = [
  ...of('The catalog’s seal', 'catalog/database/sealedFile', [seal], [
    ['the CRC is compared', 'size !== seal.size || crc !== seal.crc', 'size !== seal.size'],
    ['the size is compared', 'size !== seal.size || crc !== seal.crc', 'crc !== seal.crc'],
    ['a foreign journal is none of the database', "!seal || existsSync(`${this.path}-journal`)", '!seal'],
    ['commits are not fewer', 'now.commits > seal.state.commits', 'true'],
    ['as many commits are those that were sealed', ' && now.base === seal.state.base', ''],
    ['later commits are based on it', '[seal.id, seal.previous, seal.state.base].includes(now.base)', 'true'],
    ['later commits may be based on it', '[seal.id, seal.previous', '[seal.previous'],
    ['the file is compared before a checkpoint', 'this.checkFile();\n    const whole', 'const whole'],
    ['the WAL is compared at a checkpoint', 'isGood = used <= whole || used <= countValidFrames(`${this.path}-wal`)', 'isGood = true'],
  ]),
  ...of('The catalog’s seal', 'catalog/database/walFrames', [seal], [
    ['frames are compared', 'if (!matches(sums, frames, at + 16)) return count;', ''],
    ['pages are in the checksums', 'add(sums, frames, at + FRAME, size - FRAME);', ''],
  ]),
  ...of('The catalog’s seal', 'catalog/database/database', [seal], [
    ['the file is compared when it is opened', 'file.checkFile();', ''],
    ['the state is compared when it is opened', 'file.checkState(database);', ''],
    ['tables are compared when it is opened', 'checkSchema(database, place.indexed);\n      file', 'file'],
    ['tables are compared when it is read', 'checkSchema(database, place.indexed);\n    return', 'return'],
    ['a new one stays that another window made', 'if (ino !== undefined && lstatSync(path, { bigint: true, throwIfNoEntry: false })?.ino !== ino) return;', ''],
  ]),
  ...of('The catalog’s seal', 'catalog/database/schema', [seal], [
    ['nothing else is in the schema', 'if (!isOurs)', 'if (false)'],
    ['no table is missing', 'expected.size > 0 || ', ''],
    ['the version is compared', "expected.size > 0 || Number(database.prepare('PRAGMA user_version').get()?.['user_version']) !== SCHEMA_VERSION", 'expected.size > 0'],
  ]),
  ...of('A damaged catalog', 'catalog/database/sealedFile', [damage], [
    ['no other descriptor is closed', 'const fd = this.descriptor();', 'const fd = this.descriptor();\n    closeSync(openSync(this.path, constants.O_RDONLY));'],
  ]),
  ...of('A damaged catalog', 'catalog/worker/catalogWorker', [damage], [
    ['is made anew', 'if (first && isDamage(error)) {', 'if (false) {'],
    ['is told to be anew', 'anew: !first', 'anew: false'],
  ]),
  ...of('A damaged catalog', 'catalog/database/databaseRecovery', [damage], [
    ['is checked before the first answer', 'await this.ensureChecked();', ''],
    ['is read again', 'if (isAnew || met)', 'if (met)'],
    ['is read again when another window made it anew', 'if (isAnew || met)', 'if (isAnew)'],
    ['is asked again a few times', ' || this.rebuildCount >= MAX_REBUILDS', ' || this.rebuildCount >= 0'],
  ]),
];
