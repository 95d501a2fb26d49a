/** Items of the status bar. No text in them becomes a link or an icon, except the item's own icon. */
import * as vscode from 'vscode';
import { uiLine, uiText } from '../../core/index';

interface StatusBarText {
  readonly text: string;
  readonly tooltip: string;
  /** The name for screen readers. */
  readonly label: string;
}

export interface StatusBarItem {
  /** Shows these texts, or hides the item. */
  readonly show: (texts: StatusBarText | undefined) => void;
  readonly dispose: () => void;
}

/** @param icon the name of a product icon. @param name the item's name in the status bar's menu */
export function createStatusBarItem(id: string, name: string, icon: string, command: string): StatusBarItem {
  const item = vscode.window.createStatusBarItem(id, vscode.StatusBarAlignment.Left);
  item.name = uiLine(name);
  item.command = command;
  return {
    show: (texts) => {
      if (texts === undefined) {
        item.hide();
        return;
      }
      item.text = `$(${icon}) ${uiLine(texts.text)}`;
      item.tooltip = uiText(texts.tooltip);
      item.accessibilityInformation = { label: uiLine(texts.label), role: 'button' };
      item.show();
    },
    dispose: () => item.dispose(),
  };
}
