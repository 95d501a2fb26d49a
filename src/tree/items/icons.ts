/** The icons of entries, by type, role and tool. */
import * as vscode from 'vscode';
import { isRewind, ownValue, type EntryHead } from '../../core/index';

type IconSpec = readonly [icon: string, color?: string];

const ROLES: Readonly<Record<string, IconSpec>> = {
  user: ['account', 'charts.blue'],
  assistant: ['sparkle', 'charts.purple'],
  bashExecution: ['terminal'],
  pythonExecution: ['terminal'],
  custom: ['extensions'],
  system: ['shield'],
  developer: ['shield'],
  fileMention: ['mention'],
};

const TOOLS: Readonly<Record<string, IconSpec>> = {
  bash: ['terminal'],
  python: ['terminal'],
  read: ['file'],
  write: ['new-file'],
  edit: ['edit'],
  grep: ['search'],
  find: ['search'],
  search: ['search'],
  ls: ['folder'],
  task: ['organization'],
  fetch: ['globe'],
  web_search: ['globe'],
};

const TYPES: Readonly<Record<string, IconSpec>> = {
  compaction: ['fold', 'charts.yellow'],
  branch_summary: ['note', 'charts.yellow'],
  custom: ['extensions'],
  custom_message: ['extensions'],
  context_edit: ['filter'],
  label: ['tag'],
  session_info: ['symbol-string'],
  title_change: ['symbol-string'],
  model_change: ['settings'],
  thinking_level_change: ['lightbulb'],
  active_tools_change: ['tools'],
  mcp_tool_selection: ['tools'],
  mode_change: ['settings'],
  service_tier_change: ['settings'],
  session_init: ['rocket'],
  model_usage: ['graph'],
  ttsr_injection: ['law'],
  credential_pin: ['key'],
  archive: ['archive'],
  reset_boundary: ['clear-all', 'charts.yellow'],
};

const REWIND: IconSpec = ['discard', 'charts.yellow'];
const OTHER_TOOL: IconSpec = ['tools'];
const OTHER: IconSpec = ['circle-outline'];

/** Failures have their own icons, since not everyone can tell them by their color. */
export function entryIcon(head: EntryHead): vscode.ThemeIcon {
  if (head.isError === true || head.stopReason === 'error') return themeIcon('error', 'errorForeground');
  if (head.stopReason === 'aborted') return themeIcon('circle-slash', 'errorForeground');
  return themeIcon(...iconSpecOf(head));
}

export function themeIcon(icon: string, color?: string): vscode.ThemeIcon {
  return color === undefined ? new vscode.ThemeIcon(icon) : new vscode.ThemeIcon(icon, new vscode.ThemeColor(color));
}

function iconSpecOf(head: EntryHead): IconSpec {
  if (head.type === 'custom_message' && isRewind(head)) return REWIND;
  if (head.type !== 'message') return ownValue(TYPES, head.type) ?? OTHER;
  if (head.role === 'toolResult') return ownValue(TOOLS, head.toolName ?? '') ?? OTHER_TOOL;
  return ownValue(ROLES, head.role ?? '') ?? OTHER;
}
