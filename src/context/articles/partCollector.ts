/** Collects the texts and images of an article: the page gets their beginnings, and requests the rest by number. */
import type { Steps } from '../../core/format/session/steps';
import { sanitizeSteps } from '../../core/format/text/sanitizeText';
import { MARKDOWN_PIECE_LENGTH } from '../shared/markdownRenderer';
import type { ImagePart, TruncatedText } from '../shared/protocol';
import { oneLine } from '../../core/format/text/oneLine';
import { blobHash, firstBytes, imageSize, isSupportedType, type ImageSource } from './imageFormat';
import { truncate, type TruncationLimits } from './truncateText';

/** Markdown is cut at the end; program output keeps both ends. */
export const MARKDOWN_LIMITS: TruncationLimits = { start: MARKDOWN_PIECE_LENGTH, end: 0 };
export const OUTPUT_LIMITS: TruncationLimits = { start: 12_000, end: 4_000 };

/** Collects texts and images in the order they occur; the same messages always give the same numbers. */
export class PartCollector {
  readonly texts: string[] = [];
  readonly images: ImageSource[] = [];

  *addTextSteps(text: string, limits: TruncationLimits): Steps<TruncatedText> {
    const whole = yield* sanitizeSteps(text);
    yield;
    this.texts.push(whole);
    return { ...truncate(whole, limits), nth: this.texts.length - 1 };
  }

  /** @param address set if the message has only the image's address */
  addImage(source: ImageSource, address?: string): ImagePart {
    this.images.push(source);
    const part = { kind: 'image', mimeType: oneLine(source.mimeType, 80), nth: this.images.length - 1 } as const;
    if (address !== undefined) return { ...part, missing: 'address', address: oneLine(address, 200) };
    if (!isSupportedType(source.mimeType)) return { ...part, missing: 'type' };
    if (source.data === '') return { ...part, missing: 'empty' };
    if (blobHash(source.data) !== undefined) return part;
    return { ...part, ...imageSize(firstBytes(source.data)) };
  }
}
