/** Turns paths in messages into links once the host has confirmed that they are files. */
import { t } from '../../shared/localization';
import { looksLikeFilePath } from '../../../core/format/text/fileLocation';
import { FILE_LINK_CLASS } from '../../shared/markdownFileLinks';
import type { FromPage } from '../../shared/protocol';
import { h } from '../ui/dom';
import { iconButton } from '../ui/iconButton';

/** Milliseconds during which requests are collected. */
const DELAY = 60;
const MAX_PATHS = 100;

export class PathLinks {
  /** Confirmed paths; false if a path is requested or not a file. */
  private readonly known = new Map<string, boolean>();
  private readonly requested = new Set<string>();
  private waiting = false;

  constructor(
    private readonly send: (message: FromPage) => void,
    private readonly announce: (text: string) => void,
  ) {}

  /** Forgets everything: paths of another session may mean other files. */
  clear(): void {
    this.known.clear();
    this.requested.clear();
  }

  /** Finds links to files, and paths in inline code. */
  linkPathsIn(element: Element): void {
    for (const link of element.querySelectorAll<HTMLElement>(`.${FILE_LINK_CLASS}`)) this.linkWhenFile(link, link.title);
    for (const code of element.querySelectorAll<HTMLElement>(':not(pre) > code')) {
      const text = code.textContent;
      // A link can't contain another link.
      if (looksLikeFilePath(text) && !code.closest(`.${FILE_LINK_CLASS}`)) this.linkWhenFile(code, text);
    }
  }

  /** Makes the element a link if its text is an existing file. An element in a fold's summary must already be attached. */
  linkWhenFile(element: HTMLElement, path: string): void {
    element.dataset['path'] = path;
    const known = this.known.get(path);
    if (known === true) this.link(element, path);
    if (known !== undefined) return;
    this.requested.add(path);
    if (this.waiting) return;
    this.waiting = true;
    setTimeout(() => this.sendRequests(), DELAY);
  }

  /** Handles the host's answer. */
  confirmFiles(found: readonly string[]): void {
    for (const path of found) this.known.set(path, true);
    for (const element of document.querySelectorAll<HTMLElement>('[data-path]')) {
      const { path } = element.dataset;
      if (path !== undefined && this.known.get(path) === true) this.link(element, path);
    }
  }

  /** Replaces the links to a file that no longer exists by a note. */
  markMissing(path: string): void {
    this.known.set(path, false);
    for (const link of document.querySelectorAll<HTMLElement>(`[data-file="${CSS.escape(path)}"]`)) {
      const note = h('span', { class: 'path-gone' }, t('This file no longer exists.'));
      if (link.matches('.icon-button')) link.remove();
      else if (link.matches('.path-text')) {
        link.classList.remove('path-text');
        link.append(' ', note);
      } else link.replaceWith(...link.childNodes, ' ', note);
    }
    this.announce(t('This file no longer exists.'));
  }

  private sendRequests(): void {
    this.waiting = false;
    const paths = [...this.requested];
    this.requested.clear();
    for (const path of paths) this.known.set(path, false);
    for (let from = 0; from < paths.length; from += MAX_PATHS) this.send({ type: 'wantPaths', paths: paths.slice(from, from + MAX_PATHS) });
  }

  private link(element: HTMLElement, path: string): void {
    delete element.dataset['path'];
    const title = t('Open {0}', path);
    const open = (): void => this.send({ type: 'openPath', path });
    const summary = element.closest('summary');
    if (!summary) {
      element.replaceChildren(
        h('button', { class: 'path-link', type: 'button', title, 'data-file': path, onclick: open }, ...element.childNodes),
      );
      return;
    }
    // A fold's summary is a control and can't contain others. The pointer can click the path; the keyboard and screen
    // readers get a button next to it.
    element.classList.add('path-text');
    element.title = title;
    element.dataset['file'] = path;
    element.addEventListener('click', (event) => {
      if (!element.matches('.path-text')) return;
      event.preventDefault();
      open();
    });
    const button = iconButton(title, 'file', open);
    button.dataset['file'] = path;
    summary.closest('.tool-box')?.querySelector(':scope > .tool-buttons')?.append(button);
  }
}
