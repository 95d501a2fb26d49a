/** Charts of sums as SVG. The tables next to them have the same numbers. */
import { escapeHtml } from '../../core/index';

const [BAR_WIDTH, BAR_HEIGHT] = [100, 12];

/**
 * A bar for a row of a table.
 *
 * @param share of the total
 * @param before the share of the range before: an outline
 * @param shown the share that the picture has room for
 */
export function shareBar(share: number, before: number | undefined, shown = 1): string {
  const bar = rect(0, 2, share * BAR_WIDTH, BAR_HEIGHT - 4);
  const outline = before === undefined ? '' : rect(0.5, 0.5, before * (BAR_WIDTH - 1), BAR_HEIGHT - 1, ' class="before"');
  return `<svg aria-hidden="true" width="${shown * BAR_WIDTH}" height="${BAR_HEIGHT}">${bar}${outline}</svg>`;
}

/**
 * Says which range the bars and their outlines show.
 *
 * @param range of the bars
 * @param before of the outlines
 */
export const barLegend = (range: string, before: string): string =>
  `<p class="legend" aria-hidden="true"><span>${shareBar(0.2, undefined, 0.2)} ${escapeHtml(range)}</span> <span>${shareBar(0, 0.19, 0.2)} ${escapeHtml(before)}</span></p>`;

export interface Bar {
  readonly name: string;
  readonly value: number;
  readonly text: string;
}

const [WIDTH, HEIGHT] = [640, 90];

/** The least height of a bar that isn't 0, at which it has its full color. */
const MIN_HEIGHT = 2;

/** Bars of more days or months would be too narrow. */
const MAX_BARS = 400;

/** Returns all days or months from one to another, also those without usage; nothing if they're too many. */
export function keysBetween(by: 'day' | 'month', first = '', last = ''): string[] {
  const date = new Date(by === 'day' ? first : `${first}-01`);
  const keys: string[] = [];
  // An unknown day is before all others, and has no time.
  while (!Number.isNaN(date.getTime()) && keys.length <= MAX_BARS) {
    const key = date.toISOString().slice(0, first.length);
    if (key > last) return keys;
    keys.push(key);
    if (by === 'day') date.setUTCDate(date.getUTCDate() + 1);
    else date.setUTCMonth(date.getUTCMonth() + 1);
  }
  return [];
}

/**
 * Bars from the oldest to the newest day or month, with the highest one and the first and last name.
 *
 * @param label for screen readers
 * @param peak says which bar is the highest
 */
export function columnChart(bars: readonly Bar[], label: string, peak: (highest: Bar) => string): string {
  const highest = bars.reduce<Bar | undefined>((found, bar) => (found && found.value >= bar.value ? found : bar), undefined);
  const [first, last] = [bars[0], bars.at(-1)];
  if (!highest || !first || !last || highest.value === 0) return '';
  const step = WIDTH / bars.length;
  const columns = bars.map(({ name, value, text }, index) => {
    const height = value > 0 ? Math.max(MIN_HEIGHT, (value / highest.value) * HEIGHT) : 0;
    const column = rect(index * step + step * 0.1, HEIGHT - height, step * 0.8, height);
    return `<g>${column}<title>${escapeHtml(`${name}: ${text}`)}</title></g>`;
  });
  // Names are outside of the picture, so that they keep their size in a narrow page.
  const names = bars.length > 1 ? [first.name, last.name] : [first.name];
  const picture = `<svg viewBox="0 0 ${WIDTH} ${HEIGHT}" height="${HEIGHT}" preserveAspectRatio="none">${columns.join('')}</svg>`;
  return `<div class="days" role="img" aria-label="${escapeHtml(label)}">${line([peak(highest)])}${picture}${line(names)}</div>`;
}

const line = (texts: readonly string[]): string => `<div>${texts.map((text) => `<span>${escapeHtml(text)}</span>`).join('')}</div>`;

/** @param attributes as HTML, each after a space */
const rect = (x: number, y: number, width: number, height: number, attributes = ''): string =>
  `<rect x="${round(x)}" y="${round(y)}" width="${round(width)}" height="${round(height)}"${attributes}/>`;

const round = (value: number): number => Math.round((value || 0) * 100) / 100;
