/**
 * Returns the page's content security policy. It allows the page's own script and styles, and inline images. It begins
 * with `default-src 'none'`, as VS Code's webview guide requires.
 */
export function contentPolicy(nonce: string, source: string): string {
  return [
    `default-src 'none'`,
    `script-src 'nonce-${nonce}'`,
    `style-src ${source}`,
    `img-src data:`,
    `base-uri 'none'`,
    `form-action 'none'`,
  ].join('; ');
}
