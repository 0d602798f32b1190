import texts from './dictionaries.json' with { type: 'json' }

/**
 * What texts are packed with, by number. A dictionary never changes and never goes: what was packed with it could not be read. A new one is
 * made by `server/test/event-dictionary.ts`, and stands in `event_dictionary` of the database, too, by a migration that is there before
 * anybody packs with it.
 */
const dictionaries: ReadonlyMap<number, Buffer> = new Map(
  Object.entries(texts).map(([number, text]) => [Number(number), Buffer.from(text)]),
)

export const newestDictionary = newest()

export function dictionaryOf(number: number): Buffer {
  const known = dictionaries.get(number)
  if (!known)
    throw new Error(`a packed text needs dictionary ${number}, which this version of Prokura does not have`)
  return known
}

function newest(): { number: number; bytes: Buffer } {
  const number = Math.max(...dictionaries.keys())
  return { number, bytes: dictionaryOf(number) }
}
