// Measures the coverage of this process alone. The child processes of the tests would write hundreds of megabytes of
// counts. Threads aren't counted either, so their code may come from the cache.
import { join } from 'node:path';

delete process.env.NODE_V8_COVERAGE;
process.env.NODE_COMPILE_CACHE = join(import.meta.dirname, '..', '..', 'out', 'compiled');
