/** Names and icons of entries by their role, as the catalog's hits have it. */
import * as vscode from 'vscode';
import { ownValue } from '../core/index';

export interface EntryKind {
  readonly word: string;
  /** A codicon's name. */
  readonly icon: string;
}

/** The kind of a hit in a message's tool calls. */
export const toolCallKind = (): EntryKind => ({ word: vscode.l10n.t('tool call'), icon: 'tools' });

export function roleName(role: string): string {
  switch (role) {
    case 'user':
      return vscode.l10n.t('user');
    case 'assistant':
      return vscode.l10n.t('assistant');
    case 'label':
      return vscode.l10n.t('label');
    case 'session_info':
    case 'title':
    case 'title_change':
      return vscode.l10n.t('name');
    case 'compaction':
    case 'branch_summary':
      return vscode.l10n.t('summary');
    case 'bashExecution':
    case 'pythonExecution':
      return vscode.l10n.t('command');
    case 'system':
    case 'session_init':
      return vscode.l10n.t('system prompt');
    case 'toolResult':
      return vscode.l10n.t('tool result');
    case 'custom':
    case 'custom_message':
      return vscode.l10n.t('extension');
    case 'fileMention':
      return vscode.l10n.t('mentioned files');
    default:
      return role;
  }
}

const ICONS: Readonly<Record<string, string>> = {
  user: 'account',
  assistant: 'sparkle',
  bashExecution: 'terminal',
  pythonExecution: 'terminal',
  fileMention: 'mention',
  toolResult: 'output',
  custom: 'extensions',
  custom_message: 'extensions',
  system: 'shield',
  developer: 'shield',
  session_init: 'shield',
  label: 'tag',
  session_info: 'symbol-string',
  title: 'symbol-string',
  title_change: 'symbol-string',
  compaction: 'fold',
  branch_summary: 'note',
};

export const roleIcon = (role: string): string => ownValue(ICONS, role) ?? 'circle-outline';
