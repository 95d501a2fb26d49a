/** Switches between light and dark. Until then, the page follows the system. */
import { t } from '../../shared/localization';
import type { PageContext } from '../shell/pageContext';
import { h } from '../ui/dom';
import { icon } from '../ui/icons';

const THEMES = ['light', 'dark'] as const;
const KEY = 'theme';

export function themeButton({ state }: PageContext): HTMLElement {
  const root = document.documentElement;
  const chosen = THEMES.find((theme) => theme === state.restored(KEY));
  if (chosen) root.dataset['theme'] = chosen;
  state.register(KEY, () => root.dataset['theme']);
  const toggle = (): void => {
    const isDark = (root.dataset['theme'] ?? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';
    root.dataset['theme'] = isDark ? 'light' : 'dark';
    state.scheduleSave();
  };
  const name = t('Light or Dark');
  return h(
    'button',
    { class: 'button', type: 'button', title: name, 'data-key': KEY, onclick: toggle },
    icon('theme'),
    h('span', { class: 'button-text' }, name),
  );
}
