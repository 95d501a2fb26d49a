/** Tokens and dollars of answers, and the models that they are charged for. */
import { defined } from '../values/defined';
import { asString, isObject, type JsonObject } from '../values/jsonValues';

/**
 * The numbers of tokens in a usage, in the order in which they are kept as numbers. A usage that doesn't state an optional
 * one has no such member; any other one that is missing is 0. Totals have the sums of those with `isSummed`. FORMAT
 * section 2.
 */
export const TOKENS = [
  { name: 'input', isOptional: false, isSummed: true },
  { name: 'output', isOptional: false, isSummed: true },
  { name: 'cacheRead', isOptional: false, isSummed: true },
  { name: 'cacheWrite', isOptional: false, isSummed: true },
  { name: 'totalTokens', isOptional: true, isSummed: false },
  // A part of `cacheWrite`.
  { name: 'cacheWrite1h', isOptional: true, isSummed: true },
] as const;

/** The dollars in a usage's `cost`, which follow its tokens. */
export const COSTS = ['input', 'output', 'cacheRead', 'cacheWrite', 'total'] as const;

/** The count of numbers that a usage is kept as. */
const USAGE_LENGTH = TOKENS.length + COSTS.length;

type Tokens = (typeof TOKENS)[number];
/** The names of the tokens with certain flags. */
export type TokenName<Flags> = Extract<Tokens, Flags>['name'];
type Numbers<Name extends string> = Readonly<Record<Name, number>>;

type TokenFlags = Partial<Record<'isOptional' | 'isSummed', boolean>>;

/** Returns the names of the tokens with certain flags, in their order. */
export function tokensWith<const Flags extends TokenFlags>(flags: Flags): TokenName<Flags>[];
export function tokensWith({ isOptional, isSummed }: TokenFlags): string[] {
  return TOKENS.filter((row) => row.isOptional === (isOptional ?? row.isOptional) && row.isSummed === (isSummed ?? row.isSummed)).map(
    ({ name }) => name,
  );
}

/** Dollars of an answer. FORMAT section 2. */
type UsageCost = Numbers<(typeof COSTS)[number]>;

/** Tokens and dollars of an answer. FORMAT section 2. */
export interface Usage extends Numbers<TokenName<{ isOptional: false }>>, Partial<Numbers<TokenName<{ isOptional: true }>>> {
  readonly cost?: UsageCost;
}

/** Returns the tokens that the model read, as “tokens in” are shown everywhere: new ones, and those from and for the cache. */
export const tokensIn = ({ input, cacheRead, cacheWrite }: Pick<Usage, 'input' | 'cacheRead' | 'cacheWrite'>): number =>
  input + cacheRead + cacheWrite;

/** A model of a provider. `provider` is empty if it's unknown. FORMAT section 2. */
export interface ModelRef {
  readonly provider: string;
  readonly modelId: string;
}

/** Returns `provider/id`, or only the id if the provider is unknown. */
export function modelName({ provider, modelId }: ModelRef): string {
  return provider === '' ? modelId : `${provider}/${modelId}`;
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

/** Returns the index of each name. */
export const placesOf = <Name extends string>(names: readonly Name[]): Numbers<Name> =>
  Object.fromEntries(names.map((name, place) => [name, place])) as Numbers<Name>;

const TOKEN_PLACES = placesOf(TOKENS.map(({ name }) => name));
const COST_PLACES = placesOf(COSTS);
const OPTIONAL_TOKENS = tokensWith({ isOptional: true });

/** Makes a usage of its numbers, which begin at `at`. Optional tokens are `NaN` if they are missing, and so is the first number of a missing cost. */
export function usageFrom(numbers: ArrayLike<number>, at: number): Usage {
  const input = numbers[at + TOKEN_PLACES.input]!;
  const output = numbers[at + TOKEN_PLACES.output]!;
  const cacheRead = numbers[at + TOKEN_PLACES.cacheRead]!;
  const cacheWrite = numbers[at + TOKEN_PLACES.cacheWrite]!;
  const totalTokens = numbers[at + TOKEN_PLACES.totalTokens]!;
  const cost = costFrom(numbers, at + TOKENS.length);
  // The usual, complete usage is made by a single literal: adding members later takes several times the time and memory.
  const usage: { -readonly [Key in keyof Usage]: Usage[Key] } =
    cost && !Number.isNaN(totalTokens)
      ? { input, output, cacheRead, cacheWrite, totalTokens, cost }
      : { input, output, cacheRead, cacheWrite, ...defined({ cost }) };
  for (const name of OPTIONAL_TOKENS) {
    const value = numbers[at + TOKEN_PLACES[name]]!;
    if (!Number.isNaN(value)) usage[name] = value;
  }
  return usage;
}

function costFrom(numbers: ArrayLike<number>, at: number): UsageCost | undefined {
  if (Number.isNaN(numbers[at]!)) return undefined;
  return {
    input: numbers[at + COST_PLACES.input]!,
    output: numbers[at + COST_PLACES.output]!,
    cacheRead: numbers[at + COST_PLACES.cacheRead]!,
    cacheWrite: numbers[at + COST_PLACES.cacheWrite]!,
    total: numbers[at + COST_PLACES.total]!,
  };
}

const parsedNumbers = new Float64Array(USAGE_LENGTH);

/**
 * Returns the usage of a line or a message; `undefined` if it has none. Only numbers from 0 to 2^53 count, so that no sum becomes
 * infinite or falls.
 */
export function parseUsage(value: unknown): Usage | undefined {
  if (!isObject(value)) return undefined;
  const cost = isObject(value['cost']) ? value['cost'] : undefined;
  for (const [place, { name, isOptional }] of TOKENS.entries()) parsedNumbers[place] = amountOr(value[name], isOptional ? NaN : 0);
  for (const [place, name] of COSTS.entries()) parsedNumbers[TOKENS.length + place] = cost ? amountOr(cost[name], 0) : NaN;
  return usageFrom(parsedNumbers, 0);
}

const amountOr = (value: unknown, other: number): number =>
  typeof value === 'number' && value >= 0 && value <= Number.MAX_SAFE_INTEGER ? value : other;
