import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';

interface Package {
  readonly version?: string;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly engines?: { readonly node?: string };
}
const read = (name: string): unknown => JSON.parse(readFileSync(resolve(name), 'utf8'));

/** The oldest Node that CONTRIBUTING.md asks for. */
const OLDEST = [20, 19, 0];

const numbers = (version: string): number[] => version.split('.').map((part) => Number.parseInt(part, 10) || 0);

/** Returns whether a range of `engines` includes the oldest Node. Knows the operators that occur: `^`, `>=`, `<=`, and none. */
function includesOldest(range: string): boolean {
  return range.split('||').some((alternative) => {
    const comparators = alternative.matchAll(/(\^|>=|<=|)\s*(\d[\d.x*]*)/g);
    return [...comparators].every(([, operator, version = '']) => {
      const wanted = numbers(version);
      const difference = OLDEST.map((part, at) => part - (wanted[at] ?? 0)).find((part) => part !== 0) ?? 0;
      if (operator === '>=') return difference >= 0;
      if (operator === '<=') return difference <= 0;
      return wanted[0] === OLDEST[0] && difference >= 0;
    });
  });
}

describe('npm ci', () => {
  const { packages } = read('package-lock.json') as { packages: Readonly<Record<string, Package>> };
  const installed = Object.entries(packages).filter(([path, { optional }]) => path !== '' && optional !== true);

  it('warns of no package that needs a newer Node than the project', () => {
    const tooNew = installed.filter(([, { engines }]) => !includesOldest(engines?.node ?? '*')).map(([path]) => path);
    assert.deepEqual(tooNew, []);
  });

  it('needs no install script: each is named as not needed', () => {
    const { allowScripts } = read('package.json') as { allowScripts: Readonly<Record<string, boolean>> };
    const scripts = installed
      .filter(([, { hasInstallScript }]) => hasInstallScript === true)
      .map(([path]) => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length));
    assert.deepEqual(
      scripts.filter((name) => allowScripts[name] !== false),
      [],
    );
  });
});
