// The conditions under which a package may be published.

/**
 * @param {object} release
 * @param {string | undefined} release.file the package, if it's there
 * @param {string} release.version
 * @param {string} release.changelog
 * @param {NodeJS.ProcessEnv} release.env
 * @param {boolean} release.isDry
 * @returns {string[]} the reasons why it can't be published
 */
export function problemsOf({ file, version, changelog, env, isDry }) {
  const tag = env.GITHUB_REF_TYPE === 'tag' ? env.GITHUB_REF_NAME : undefined;
  const missing = isDry ? [] : ['VSCE_PAT', 'OVSX_PAT'].filter((name) => !env[name]);
  return [
    ...(file === undefined ? ['There is no package of this version. Run "npm run package" first.'] : []),
    ...(changelog.includes(`\n## ${version}\n`) ? [] : [`CHANGELOG.md has no section ${version}.`]),
    ...(tag === undefined || tag === `v${version}` ? [] : [`The tag is ${tag}, the version ${version}.`]),
    ...missing.map((name) => `${name} isn't set.`),
  ];
}
