/** Recognizes commands that check a change: tests, linters, type checkers and builds. */

/** Programs and scripts whose runs are checks, as words of a command. */
const CHECKS = new Set([
  ...['test', 'tests', 'lint', 'check', 'typecheck', 'type-check', 'build', 'verify', 'clippy', 'vet', 'audit', 'coverage', 'bench'],
  ...['tsc', 'eslint', 'oxlint', 'biome', 'prettier', 'jest', 'vitest', 'mocha', 'ava', 'playwright', 'cypress', 'tap'],
  ...['pytest', 'tox', 'nox', 'mypy', 'pyright', 'ruff', 'flake8', 'pylint', 'unittest'],
  ...['rspec', 'rubocop', 'minitest', 'phpunit', 'phpstan', 'ctest', 'gtest', 'ktlint', 'detekt', 'swiftlint', 'shellcheck'],
]);

/** Programs that only show or write text: their arguments say nothing about a check. */
const TEXT_PROGRAMS = new Set([
  'cat',
  'echo',
  'grep',
  'rg',
  'ls',
  'find',
  'git',
  'sed',
  'head',
  'tail',
  'less',
  'cd',
  'mkdir',
  'rm',
  'cp',
  'mv',
]);

/** True for a command of which at least one part checks something. */
export function isCheckCommand(command: string): boolean {
  return command.split(/&&|\|\||[;|\n]/).some((part) => {
    const words = part.trim().split(/\s+/).slice(0, 8);
    const program = nameOf(words.find((word) => !word.includes('=')) ?? '');
    return (
      !TEXT_PROGRAMS.has(program) &&
      words.some((word) => !word.startsWith('-') && word.split(/[:/]/).some((piece) => CHECKS.has(nameOf(piece))))
    );
  });
}

/** The name of a program without its folder and ending. */
const nameOf = (word: string): string =>
  word
    .slice(word.lastIndexOf('/') + 1)
    .replace(/\.(?:sh|js|mjs|cjs|py|exe|cmd)$/, '')
    .toLowerCase();
