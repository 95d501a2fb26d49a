// The Markdown files and the manifest as they are in the package. The repository's address isn't in package.json: the workflow
// that publishes knows it, and a package that is made elsewhere works without one.
import { posix } from 'node:path';

/** The most bytes that the package may have. */
export const BUDGET = 2_000_000;

/** Fields of package.json that only development uses. */
const DEVELOPMENT = ['scripts', 'devDependencies', 'allowScripts', 'private'];
/** The script that the editor runs after uninstalling. */
const UNINSTALL = 'vscode:uninstall';

/**
 * Returns the address of the repository: that in package.json, otherwise that of the workflow that runs.
 * @param {{ repository?: { url: string } }} manifest
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined} without `.git` and without a slash at its end
 */
export function repositoryOf({ repository }, env) {
  if (repository) return repository.url.replace(/^git\+|(\.git)?\/?$/g, '');
  const { GITHUB_SERVER_URL: server, GITHUB_REPOSITORY: name } = env;
  return server && name ? `${server}/${name}` : undefined;
}

/** Returns package.json as it is published. */
export function publishedManifest(manifest, repository) {
  const uninstall = manifest.scripts?.[UNINSTALL];
  const published = {
    ...Object.fromEntries(Object.entries(manifest).filter(([name]) => !DEVELOPMENT.includes(name))),
    ...(uninstall === undefined ? {} : { scripts: { [UNINSTALL]: uninstall } }),
  };
  if (!repository) return published;
  return {
    ...published,
    repository: { type: 'git', url: `${repository}.git` },
    bugs: { url: `${repository}/issues` },
    homepage: `${repository}#readme`,
  };
}

/**
 * Returns a Markdown file so that it works outside the repository, where only pictures from the web are shown. With a
 * repository, relative links and pictures lead to the release in it; otherwise pictures are left out, and links to other
 * files become plain text.
 * @param {string} text
 * @param {{ repository?: string, version: string }} release
 */
export function publishedMarkdown(text, { repository, version }) {
  const address = (kind, path) => `${repository}/${kind}/v${version}/${posix.normalize(path)}`;
  // Only the repository's own page follows the colors of its reader.
  const still = text.replace(/^ *<source .*>\n/gm, '');
  return (repository ? still : still.replace(/^<picture>\n[^]*?^<\/picture>\n\n?|!\[[^\]]*\]\((?!https?:)[^)]+\)/gm, ''))
    .replace(/<img ([^>]*?)src="(?!https?:)([^"]+)"/g, (_, before, path) => `<img ${before}src="${address('raw', path)}"`)
    .replace(/!\[([^\]]*)\]\((?!https?:)([^)]+)\)/g, (_, title, path) => `![${title}](${address('raw', path)})`)
    .replace(/(?<!!)\[([^\]]*)\]\((?!https?:|#)([^)]+)\)/g, (_, title, path) =>
      repository ? `[${title}](${address('blob', path)})` : title,
    );
}

/**
 * Returns a file as it is in the package. Keys of the manifest's texts are short, because eleven files repeat them.
 * @param {string} file its path, with `/`
 * @param {Buffer} content
 * @param {object} release
 * @param {object} release.manifest
 * @param {string} [release.repository]
 * @param {string[]} release.manifestKeys the keys of `package.nls.json`
 * @returns {Buffer | string}
 */
export function publishedFile(file, content, { manifest, repository, manifestKeys }) {
  const shortKey = (key) => manifestKeys.indexOf(key).toString(36);
  if (file === 'package.json') {
    const text = JSON.stringify(publishedManifest(manifest, repository));
    return text.replace(/"%([\w.-]+)%"/g, (placeholder, key) => (manifestKeys.includes(key) ? `"%${shortKey(key)}%"` : placeholder));
  }
  if (/^[^/]+\.md$/.test(file)) return publishedMarkdown(content.toString(), { repository, version: manifest.version });
  if (file.startsWith('l10n/')) return JSON.stringify(JSON.parse(content.toString()));
  if (file.startsWith('package.nls.')) {
    const texts = Object.entries(JSON.parse(content.toString()));
    return JSON.stringify(Object.fromEntries(texts.map(([key, text]) => [shortKey(key), text])));
  }
  return content;
}
