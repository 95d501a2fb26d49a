import * as vscode from 'vscode';

/** Returns a number of bytes as people read it; at least 0.1 KB unless it's 0. */
export function formatBytes(count: number): string {
  const inUnit = (size: number): string => size.toLocaleString(vscode.env.language, { maximumFractionDigits: 1 });
  return count < 1024 * 1024 ? `${inUnit(count === 0 ? 0 : Math.max(0.1, count / 1024))} KB` : `${inUnit(count / 1024 / 1024)} MB`;
}
