/**
 * Context windows of models, in tokens. Session files don't record them.
 *
 * Source: the model list of pi 0.87.1 (`models.generated.js` of `@earendil-works/pi-ai`), read on 2026-11-22; models of
 * 2024 and 2025 that it no longer has, from Anthropic's model overview of 2025, and from the page of GPT-5.1-Codex in Vercel's
 * AI Gateway, read on 2026-11-23.
 */
import type { ModelRef } from '../entry/usage';
import { ownValue } from '../entry/jsonValues';

/** Windows with the ids of their models, by provider. */
const WINDOWS: Readonly<Record<string, readonly (readonly [tokens: number, ids: string])[]>> = {
  anthropic: [
    [
      200_000,
      'claude-3-5-haiku-20241022 claude-3-5-haiku-latest claude-3-5-sonnet-20240620 claude-3-5-sonnet-20241022 ' +
        'claude-3-5-sonnet-latest claude-3-7-sonnet-20250219 claude-3-7-sonnet-latest claude-3-haiku-20240307 ' +
        'claude-3-opus-20240229 claude-3-sonnet-20240229 claude-haiku-4-5 claude-haiku-4-5-20251001 claude-opus-4-0 ' +
        'claude-opus-4-1 claude-opus-4-1-20250805 claude-opus-4-20250514 claude-opus-4-5 claude-opus-4-5-20251101 ' +
        'claude-sonnet-4-0 claude-sonnet-4-20250514',
    ],
    [
      1_000_000,
      'claude-fable-5 claude-fable-5-1 claude-opus-4-6 claude-opus-4-7 claude-opus-4-8 claude-opus-5 claude-opus-5-5 ' +
        'claude-sonnet-4-5 claude-sonnet-4-5-20250929 claude-sonnet-4-6 claude-sonnet-5',
    ],
  ],
  openai: [
    [8_192, 'gpt-4'],
    [
      128_000,
      'gpt-4-turbo gpt-4o gpt-4o-2024-05-13 gpt-4o-2024-08-06 gpt-4o-2024-11-20 gpt-4o-mini gpt-5-chat-latest ' +
        'gpt-5.2-chat-latest gpt-5.3-chat-latest gpt-5.3-codex-spark gpt-realtime-2.1',
    ],
    [200_000, 'o1 o1-pro o3 o3-mini o3-pro o4-mini'],
    [272_000, 'gpt-5.4 gpt-5.5 gpt-5.6-luna gpt-5.6-sol gpt-5.6-terra gpt-6-astra gpt-6-luna gpt-6-sol'],
    [400_000, 'gpt-5 gpt-5-mini gpt-5-nano gpt-5-pro gpt-5.1 gpt-5.1-codex gpt-5.2 gpt-5.2-pro gpt-5.3-codex gpt-5.4-mini gpt-5.4-nano'],
    [1_047_576, 'gpt-4.1 gpt-4.1-mini gpt-4.1-nano'],
    [1_050_000, 'gpt-5.4-pro gpt-5.5-pro'],
  ],
  'openai-codex': [
    [128_000, 'gpt-5.3-codex-spark'],
    [272_000, 'gpt-5.5 gpt-5.6-luna gpt-5.6-sol gpt-5.6-terra gpt-6-astra gpt-6-luna gpt-6-sol'],
  ],
  google: [
    [65_536, 'gemini-3.1-flash-lite-image'],
    [
      131_072,
      'deep-research-max-preview-04-2026 deep-research-preview-04-2026 gemini-2.5-computer-use-preview-10-2025 ' +
        'gemini-3.1-flash-live-preview',
    ],
    [262_144, 'gemma-4-26b-a4b-it gemma-4-31b-it'],
    [
      1_048_576,
      'gemini-2.5-flash gemini-2.5-flash-lite gemini-2.5-pro gemini-3-flash-preview gemini-3.1-flash-lite ' +
        'gemini-3.1-flash-lite-preview gemini-3.1-pro-preview gemini-3.1-pro-preview-customtools gemini-3.5-flash ' +
        'gemini-3.5-flash-lite gemini-3.6-flash gemini-3.7-flash gemini-3.8-flash gemini-flash-latest ' +
        'gemini-flash-lite-latest',
    ],
  ],
  'github-copilot': [
    [200_000, 'claude-haiku-4.5 gemini-3.5-flash'],
    [256_000, 'kimi-k2.7-code mai-code-1-flash-picker mai-code-1.1-flash'],
    [264_000, 'gpt-5-mini'],
    [400_000, 'gpt-5.4-mini gpt-5.4-nano'],
    [500_000, 'grok-4.5 grok-4.6 grok-4.7'],
    [
      1_000_000,
      'claude-fable-5 claude-fable-5.1 claude-opus-4.7 claude-opus-4.8 claude-opus-5 claude-opus-5.5 ' +
        'claude-sonnet-4.6 claude-sonnet-5 gemini-3.6-flash gemini-3.7-flash gemini-3.8-flash gpt-5.3-codex gpt-5.4 ' +
        'gpt-5.5 gpt-6-astra gpt-6-luna gpt-6-sol',
    ],
    [1_048_576, 'kimi-k3'],
    [1_050_000, 'gpt-5.6-luna gpt-5.6-sol gpt-5.6-terra'],
  ],
  deepseek: [[1_000_000, 'deepseek-flash deepseek-v4-pro']],
  xai: [
    [500_000, 'grok-4.5 grok-4.6 grok-4.7'],
    [1_000_000, 'grok-4.3'],
  ],
  zai: [
    [200_000, 'glm-5-turbo'],
    [204_800, 'glm-4.7'],
    [1_000_000, 'glm-5.2 glm-5.2-highspeed glm-5.3 glm-5.3-flash glm-5.3-highspeed'],
  ],
};

/** Returns the size of a model's context window in tokens; `undefined` if it isn't known. */
export function contextWindow({ provider, modelId }: ModelRef): number | undefined {
  const windows = ownValue(WINDOWS, provider);
  return windows?.find(([, ids]) => ids.split(' ').includes(modelId))?.[0];
}
