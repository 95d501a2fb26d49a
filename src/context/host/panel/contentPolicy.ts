/**
 * The page's content security policy: its own script and styles, pictures that are part of a message, and nothing
 * else. As VS Code's webview guide asks, it begins with `default-src 'none'`.
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
