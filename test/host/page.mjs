// The address of the workbench.

/**
 * Returns the workbench's address on a server, with an extension in development.
 * @param {object} options
 * @param {string} options.origin the server's, such as `http://127.0.0.1:8080`
 * @param {string} options.folder the workspace folder
 * @param {string} options.extension the extension's folder
 * @param {string} [options.tests] a module whose run() is called in the extension host
 * @param {string} [options.token] the server's connection token
 * @returns {string}
 */
export function workbenchAddress({ origin, folder, extension, tests, token }) {
  const remote = (path) => `vscode-remote://${new URL(origin).host}${encodeURI(slashes(path))}`;
  const payload = [['extensionDevelopmentPath', remote(extension)]];
  if (tests) payload.push(['extensionTestsPath', remote(tests)]);
  const query = new URLSearchParams({ folder: slashes(folder), payload: JSON.stringify(payload) });
  if (token) query.set('tkn', token);
  return `${origin}/?${query}`;
}

/** `C:\one` is `/C:/one` in an address. */
function slashes(path) {
  const forward = path.replaceAll('\\', '/');
  return forward.startsWith('/') ? forward : `/${forward}`;
}
