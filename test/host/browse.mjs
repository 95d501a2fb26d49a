// Opens addresses in the person's own browser.
import { spawn } from 'node:child_process';

/**
 * Opens an address in the browser. Without a display, or if that fails, the person can use the printed address.
 * @param {string} address
 */
export function openInBrowser(address) {
  const command = commandFor(process.platform);
  if (!command) return;
  const [program, ...args] = command;
  const child = spawn(program, [...args, address], { stdio: 'ignore', detached: true });
  child.on('error', () => {});
  child.unref();
}

function commandFor(platform) {
  if (platform === 'darwin') return ['open'];
  // Not `start`, because cmd would split the address at every &.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}
