import {
  type Dictionary,
  type InnerList,
  type Item,
  isInnerList,
  ParseError,
  parseDictionary as parse,
  serializeInnerList,
  serializeItem,
} from 'structured-headers'

export { type InnerList, type Item, isInnerList, serializeItem }

/** Longer ones are refused: each byte of a header is read before anything is known of its sender. */
const charactersMax = 8192

/** Reads a header that is a dictionary, strictly as RFC 8941 section 4.2 has it; null: it is none. */
export function parseDictionary(text: string): Dictionary | null {
  if (text.length > charactersMax) return null
  try {
    return parse(text)
  } catch (error) {
    if (error instanceof ParseError) return null
    throw error
  }
}

export function serializeMember(member: Item | InnerList): string {
  return isInnerList(member) ? serializeInnerList(member) : serializeItem(member)
}

/** The value of an item that is a string; null: it is a token, a number or anything else. */
export function stringIn(member: Item | InnerList | undefined): string | null {
  return member !== undefined && !isInnerList(member) && typeof member[0] === 'string' ? member[0] : null
}

/** The bytes of an item that is a byte sequence. */
export function bytesIn(member: Item | InnerList | undefined): Uint8Array | null {
  const value = member?.[0]
  return value instanceof ArrayBuffer || value instanceof Uint8Array ? new Uint8Array(value) : null
}
