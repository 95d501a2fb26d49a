// A person's own browser.
import { spawn } from 'node:child_process';

/**
 * Opens an address in the browser, where there is a display; otherwise, or if that fails, the printed address must do.
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
  // Not `start`: cmd would take the address apart at every &.
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return process.env.DISPLAY || process.env.WAYLAND_DISPLAY ? ['xdg-open'] : undefined;
}
