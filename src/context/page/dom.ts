/** Elements in a line each. Texts are always text: nothing here takes HTML. */

type Attributes = Readonly<Record<string, string | number | boolean | undefined | ((event: Event) => void)>>;

/** `on…` functions become listeners, `true` an empty attribute; `false` and `undefined` are left out. */
export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: readonly (Node | string)[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === 'function') element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== undefined && value !== false) element.setAttribute(name, String(value));
  }
  element.append(...children);
  return element;
}

/** Puts arguments into a text's `{0}`. */
export function fill(text: string, value: string | number): string {
  return text.replace('{0}', () => String(value));
}

export function number(value: number): string {
  return new Intl.NumberFormat(document.documentElement.lang || 'en').format(value);
}
