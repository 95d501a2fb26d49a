/** The page's HTML. Contains no session data; session text arrives in messages. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { defined, htmlFrame, infoBlock, PAGE_SCRIPTS } from '../../../core/index';
import { contentPolicy } from './contentPolicy';

export function webviewOptions(extensionUri: vscode.Uri): vscode.WebviewOptions {
  const folders = ['dist', 'media'].map((name) => vscode.Uri.joinPath(extensionUri, name));
  return { enableScripts: true, enableForms: false, enableCommandUris: false, localResourceRoots: folders };
}

/** @param translations of the page's texts; absent in English */
export function pageHtml(webview: vscode.Webview, extensionUri: vscode.Uri, translations?: Readonly<Record<string, string>>): string {
  const nonce = randomBytes(24).toString('base64');
  const file = (name: string): string => webview.asWebviewUri(vscode.Uri.joinPath(extensionUri, 'dist', name)).toString();
  const { language } = vscode.env;
  const head = htmlFrame({
    title: vscode.l10n.t('Session context'),
    language,
    policy: contentPolicy(nonce, webview.cspSource),
    elements: [`<link rel="stylesheet" href="${file('page.css')}">`],
  });
  return `${head}<body>
${infoBlock({ title: '', language, ...defined({ translations }) })}
${PAGE_SCRIPTS.map((name) => `<script nonce="${nonce}" src="${file(name)}"></script>`).join('\n')}
</body>
</html>`;
}
