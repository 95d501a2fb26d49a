// Gives all properties the same inputs in every run, those of another seed in PST_FUZZ_SEED. Whether a commit passes shouldn't
// depend on chance; `npm run test:unit` and `npm run fuzz` look for what nobody thought of.
import { createRequire } from 'node:module';

// The built tests require it, and an import would be another instance.
const fastCheck = createRequire(import.meta.url)('fast-check');
fastCheck.configureGlobal({ seed: Number(process.env.PST_FUZZ_SEED ?? 1) });
