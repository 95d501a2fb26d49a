/**
 * Tokens of an image, estimated from its size in pixels by the formulas of the providers' documents: Anthropic “Vision”,
 * OpenAI “Images and vision” and Gemini “Image understanding”. Providers' bills may differ by some percent, and more for
 * models that came after 2025, which are assumed to use the formulas of earlier models. Pure.
 */
import type { ModelRef } from '../entry/usage';

interface Size {
  readonly width: number;
  readonly height: number;
}

/** The estimate of pi for an image of unknown size, or of another provider. */
export const DEFAULT_IMAGE_TOKENS = 1200;

/** Returns the estimated tokens of an image for a model. @param size in pixels; `undefined` if it isn't known. */
export function imageTokens(size: Size | undefined, model: ModelRef | null): number {
  // Routers name models as `anthropic/claude…`, clouds as `us.anthropic.claude…`.
  const id = model?.modelId.toLowerCase() ?? '';
  if (!size) return DEFAULT_IMAGE_TOKENS;
  if (id.includes('claude')) return anthropicTokens(size, id);
  if (id.includes('gemini')) return geminiTokens(size);
  return /(?:^|\/)(?:gpt-|o[134](?:-|$)|chatgpt)/.test(id) ? openAiTokens(size, id) : DEFAULT_IMAGE_TOKENS;
}

/** A pixel in 750 is a token. The image is first shrunk: to 1,568 pixels and about 1,600 tokens, and for Opus from 4.7 on to 2,576 and 4,784. */
function anthropicTokens(size: Size, id: string): number {
  const [pixels, tokens] = /claude-opus-(?:4[-.][7-9]|[5-9])/.test(id) ? [2576, 4784] : [1568, 1600];
  const { width, height } = fit(size, pixels);
  return Math.ceil(Math.min((width * height) / 750, tokens));
}

/** 258 tokens for a small image, and for each tile of 768 pixels of a larger image. */
function geminiTokens({ width, height }: Size): number {
  if (Math.max(width, height) <= 384) return 258;
  return 258 * Math.ceil(width / 768) * Math.ceil(height / 768);
}

/** Small models of 4.1 and later count patches of 32 pixels, at most 1,536; with a factor each. */
const PATCH_FACTORS: readonly (readonly [RegExp, number])[] = [
  [/gpt-(?:4\.1|5[\d.]*)-mini/, 1.62],
  [/gpt-(?:4\.1|5[\d.]*)-nano/, 2.46],
  [/o4-mini/, 1.72],
];
/** Other models count tiles of 512 pixels: the tokens of an image, and of each tile. */
const TILE_TOKENS: readonly (readonly [RegExp, base: number, tile: number])[] = [
  [/gpt-4o-mini/, 2833, 5667],
  [/(?:^|\/)o[13]/, 75, 150],
  [/gpt-[5-9]/, 70, 140],
  [/./, 85, 170],
];

function openAiTokens(size: Size, id: string): number {
  const factor = PATCH_FACTORS.find(([pattern]) => pattern.test(id))?.[1];
  if (factor !== undefined) return Math.ceil(Math.min(Math.ceil(size.width / 32) * Math.ceil(size.height / 32), 1536) * factor);
  const [, base = 0, tile = 0] = TILE_TOKENS.find(([pattern]) => pattern.test(id)) ?? [];
  // Shrunk to a square of 2,048 pixels, then to 768 at the shorter side.
  const inSquare = fit(size, 2048);
  const scale = Math.min(1, 768 / Math.min(inSquare.width, inSquare.height));
  return base + tile * Math.ceil((inSquare.width * scale) / 512) * Math.ceil((inSquare.height * scale) / 512);
}

/** Shrinks a size until its longer side has at most `side` pixels. */
function fit({ width, height }: Size, side: number): Size {
  const scale = Math.min(1, side / Math.max(width, height));
  return { width: width * scale, height: height * scale };
}
