import { readLine } from '../../src/core/format/readLine';
import type { FuzzTarget } from './target';

export const target: FuzzTarget = {
  name: 'parser',
  run: (random) => void readLine(random.text()),
};
