import type { Static } from 'typebox'
import type { ItemRow, MediaWrite } from './item.ts'

/** Media as stored, from the fields that the caller wrote. */
export function mediaOf(written: readonly Static<typeof MediaWrite>[]): ItemRow['media'] {
  return written.map(({ url, type, alt_text }) => ({
    url,
    type: type ?? 'image',
    alt_text: alt_text ?? null,
  }))
}
