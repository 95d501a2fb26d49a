/** The link that displays a shared gist as a page. */

/** The viewer of pi's own `/share`. It reads the part after `#` in the browser, and loads the gist from GitHub. */
export const DEFAULT_VIEWER = 'https://pi.dev/session/#{id}';

/** Returns the link by the setting `sessionTree.share.viewer`, in which `{id}` stands for the gist's id; else by pi's viewer. */
export function viewerLink(setting: unknown, id: string): string {
  return linkBy(setting, id) ?? DEFAULT_VIEWER.replace('{id}', id);
}

function linkBy(setting: unknown, id: string): string | undefined {
  if (typeof setting !== 'string' || !setting.includes('{id}')) return undefined;
  const link = setting.trim().replaceAll('{id}', id);
  return URL.canParse(link) && new URL(link).protocol === 'https:' ? link : undefined;
}
