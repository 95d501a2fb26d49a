/** Growth of the context: a plot with a slider for pointer and keyboard, and a sentence with the same information. */
import { formatCompact, formatNumber } from '../../shared/formatNumbers';
import { t } from '../../shared/localization';
import { elementAt, lastOf } from '../../../core/format/values/lookups';
import type { Overview } from '../../shared/protocol';
import { formatMessage, h, svg } from '../ui/dom';
import type { PageContext } from '../shell/pageContext';
import { hideTooltip, showTooltip } from '../ui/tooltip';
import { largest, smallest } from '../../../core/format/values/lists';

/** Units of the plot, which is stretched to the available width. */
const WIDTH = 1000;
const HEIGHT = 100;

type Growth = Overview['growth'];

interface GrowthView {
  readonly element: HTMLElement;
  readonly show: (growth: Growth) => void;
}

export function growthView(context: PageContext): GrowthView {
  const plot = svg('svg', { class: 'plot', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'none', 'aria-hidden': 'true' });
  const dot = h('span', { class: 'plot-dot', hidden: true });
  const maximum = h('span', { class: 'plot-max', 'aria-hidden': 'true' });
  const slider = h(
    'div',
    {
      class: 'plot-slider',
      role: 'slider',
      tabindex: 0,
      'aria-label': t('Growth on this branch'),
      'aria-description': t('Press Enter or click to show the message.'),
    },
    plot,
    dot,
  );
  const text = h('p', { class: 'muted' });
  let growth: Growth = { points: [], cuts: [], length: 0 };
  let at = 0;

  const x = (position: number): number => (growth.length > 1 ? position / (growth.length - 1) : 0.5);
  const highest = (): number => Math.max(1, largest(growth.points.map(([, , tokens]) => tokens)));
  const sentence = ([, position, tokens]: Growth['points'][number]): string =>
    formatMessage(
      t({ message: '{0} tokens at entry {1} of {2}', comment: 'Tokens in the context, number of the entry, number of entries' }),
      formatNumber(tokens),
      position + 1,
      growth.length,
    );

  /** Moves the slider to a point. `isShown` also shows the dot and the tooltip. */
  const moveTo = (index: number, isShown: boolean): void => {
    at = Math.max(0, Math.min(index, growth.points.length - 1));
    const point = growth.points[at];
    if (!point) return;
    slider.setAttribute('aria-valuenow', String(at));
    slider.setAttribute('aria-valuetext', sentence(point));
    if (!isShown) return;
    dot.hidden = false;
    dot.style.left = `${x(point[1]) * 100}%`;
    dot.style.bottom = `${(point[2] / highest()) * 100}%`;
    showTooltip(slider, sentence(point), x(point[1]) * slider.clientWidth);
  };
  const leave = (): void => {
    dot.hidden = true;
    hideTooltip();
  };
  const go = (): void => {
    const point = growth.points[at];
    if (point) context.send({ type: 'go', entryId: point[0] });
  };

  slider.addEventListener('pointermove', (event) => {
    const box = slider.getBoundingClientRect();
    const wanted = (event.clientX - box.left) / box.width;
    const distance = (index: number): number => Math.abs(x(elementAt(growth.points, index)[1]) - wanted);
    moveTo(
      growth.points.reduce((best, _, index) => (distance(index) < distance(best) ? index : best), 0),
      true,
    );
  });
  slider.addEventListener('pointerleave', leave);
  slider.addEventListener('focus', () => moveTo(at, slider.matches(':focus-visible')));
  slider.addEventListener('blur', leave);
  slider.addEventListener('click', go);
  slider.addEventListener('keydown', (event) => {
    const last = growth.points.length - 1;
    const page = Math.max(1, Math.round(last / 10));
    const to = {
      ArrowRight: at + 1,
      ArrowUp: at + 1,
      ArrowLeft: at - 1,
      ArrowDown: at - 1,
      PageUp: at + page,
      PageDown: at - page,
      Home: 0,
      End: last,
    }[event.key];
    if (event.key === 'Enter' || event.key === ' ') go();
    else if (to !== undefined) moveTo(to, true);
    else return;
    event.preventDefault();
  });

  return {
    element: h('section', {}, h('div', { class: 'plot-head' }, h('h2', {}, t('Growth on this branch')), maximum), slider, text),
    show: (newGrowth) => {
      const wasLast = at >= growth.points.length - 1;
      growth = newGrowth;
      const tokens = growth.points.map((point) => point[2]);
      slider.hidden = tokens.length < 2;
      slider.setAttribute('aria-valuemin', '0');
      slider.setAttribute('aria-valuemax', String(Math.max(0, tokens.length - 1)));
      moveTo(wasLast ? tokens.length - 1 : at, false);
      maximum.textContent = slider.hidden ? '' : formatCompact(highest());
      const range =
        tokens.length === 0
          ? t('No response on this branch recorded its usage.')
          : t('The context ranged from {0} to {1} tokens.', formatNumber(smallest(tokens)), formatNumber(highest()));
      const cuts =
        growth.cuts.length === 0
          ? ''
          : growth.cuts.length === 1
            ? t('Compacted or reset once.')
            : t('Compacted or reset {0} times.', growth.cuts.length);
      text.textContent = [range, cuts].filter((part) => part !== '').join(' ');
      plot.replaceChildren(...drawPlot(growth, highest(), (position) => x(position) * WIDTH));
    },
  };
}

/** Draws an area and a line for each stretch between two cuts, and the cuts. */
function drawPlot({ points, cuts }: Growth, highest: number, x: (position: number) => number): Node[] {
  const y = (tokens: number): number => HEIGHT - (tokens / highest) * HEIGHT;
  const ends = [...cuts.map(([, position]) => position), Infinity];
  const stretches = ends.map((end, index) => points.filter(([, position]) => position <= end && position > (ends[index - 1] ?? -1)));
  const lines = stretches
    .filter((stretch) => stretch.length > 0)
    .flatMap((stretch) => {
      const line = stretch.map(([, position, tokens]) => `${x(position).toFixed(1)} ${y(tokens).toFixed(1)}`).join('L');
      const [first, last] = [x(elementAt(stretch, 0)[1]).toFixed(1), x(lastOf(stretch)[1]).toFixed(1)];
      return [
        svg('path', { class: 'plot-area', d: `M${first} ${HEIGHT}L${line}L${last} ${HEIGHT}Z` }),
        svg('path', { class: 'plot-line', d: `M${line}` }),
      ];
    });
  const marks = cuts.map(([, position]) => svg('path', { class: 'plot-cut', d: `M${x(position).toFixed(1)} 0V${HEIGHT}` }));
  return [...lines, ...marks];
}
