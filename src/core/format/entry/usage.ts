/** Tokens and dollars of answers, and the models that they are charged for. */
import { defined } from './defined';
import { asString, isObject, type JsonObject } from './jsonValues';

/** Tokens and dollars of an answer. FORMAT section 2. */
export interface Usage {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
  readonly totalTokens?: number;
  readonly cost?: {
    readonly input: number;
    readonly output: number;
    readonly cacheRead: number;
    readonly cacheWrite: number;
    readonly total: number;
  };
}

/** A model of a provider. `provider` is empty if it's unknown. FORMAT section 2. */
export interface ModelRef {
  readonly provider: string;
  readonly modelId: string;
}

/** The requested model, and the model that answered if it's a different one. */
interface Billed {
  readonly model?: ModelRef;
  readonly responseModel?: string;
}

/**
 * Returns the model that an entry's usage belongs to: the model that answered, at the requested provider. FORMAT
 * section 5.
 */
export function billedModel({ model, responseModel }: Billed): ModelRef | undefined {
  return model && responseModel !== undefined ? { provider: model.provider, modelId: responseModel } : model;
}

/** Returns the model that a line names: `provider` and `modelId` (or `model`), or oh-my-pi's `provider/id`, split at the first slash. */
export function parseModelRef(line: JsonObject): ModelRef | undefined {
  const provider = asString(line['provider']);
  const modelId = asString(line['modelId']) ?? asString(line['model']);
  if (modelId === undefined) return undefined;
  if (provider !== undefined) return { provider, modelId };
  const slash = modelId.indexOf('/');
  return slash < 0 ? { provider: '', modelId } : { provider: modelId.slice(0, slash), modelId: modelId.slice(slash + 1) };
}

const finiteOrZero = (value: unknown): number => (typeof value === 'number' && Number.isFinite(value) ? value : 0);

/** Returns a usage in which every number is present; `undefined` if there is none. */
export function parseUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const { totalTokens } = value;
  const cost = isObject(value['cost']) ? parseCost(value['cost']) : undefined;
  const [input, output, cacheRead, cacheWrite] = [
    finiteOrZero(value['input']),
    finiteOrZero(value['output']),
    finiteOrZero(value['cacheRead']),
    finiteOrZero(value['cacheWrite']),
  ];
  // The usual, complete usage is made by a single literal.
  if (typeof totalTokens === 'number' && cost) return { input, output, cacheRead, cacheWrite, totalTokens, cost };
  return {
    input,
    output,
    cacheRead,
    cacheWrite,
    ...defined({ totalTokens: typeof totalTokens === 'number' ? totalTokens : undefined, cost }),
  };
}

const parseCost = (value: JsonObject): NonNullable<Usage['cost']> => ({
  input: finiteOrZero(value['input']),
  output: finiteOrZero(value['output']),
  cacheRead: finiteOrZero(value['cacheRead']),
  cacheWrite: finiteOrZero(value['cacheWrite']),
  total: finiteOrZero(value['total']),
});
