/** A person's names as forms ask for them. Null: this person has one name. */
export type PersonNames = { readonly first: string; readonly last: string | null }

type Buyer = { readonly firstName: string; readonly lastName: string | null }

/**
 * The names of whom goods are sent to. A whole name is taken apart only as far as that is sure: the buyer's own names are known, and what
 * is written without a space is not cut anywhere. Null: nobody can tell where one name ends.
 */
export function namesOfRecipient(whole: string, buyer: Buyer): PersonNames | null {
  if (isNameOf(whole, buyer)) return { first: buyer.firstName, last: buyer.lastName }
  const turned = /^(?<last>[^,]+),\s*(?<first>[^,]+)$/u.exec(whole)?.groups
  if (turned?.first !== undefined && turned.last !== undefined)
    return { first: turned.first.trim(), last: turned.last.trim() }
  const words = whole.trim().split(/[\s\u3000]+/u)
  const [only = ''] = words
  if (isFamilyFirst(whole)) return splitFamilyFirst(words, buyer)
  if (words.length === 1) return only === '' ? null : { first: only, last: null }
  const at = familyAt(words, buyer)
  return { first: words.slice(0, at).join(' '), last: words.slice(at).join(' ') }
}

/** Both names in one, in the order of their script. */
export function wholeNameOf({ first, last }: PersonNames): string {
  if (last === null) return first
  return isFamilyFirst(first + last) ? `${last} ${first}` : `${first} ${last}`
}

function isNameOf(whole: string, { firstName, lastName }: Buyer): boolean {
  const said = plain(whole)
  if (lastName === null) return said === plain(firstName)
  return said === plain(firstName + lastName) || said === plain(lastName + firstName)
}

function plain(name: string): string {
  return name.normalize('NFKC').toLowerCase().replaceAll(/\s+/gu, '')
}

/** Chinese, Japanese and Korean names begin with that of the family. */
function isFamilyFirst(name: string): boolean {
  return /^[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}\p{sc=Hang}・ー\s]+$/u.test(name)
}

function splitFamilyFirst(words: readonly string[], { lastName }: Buyer): PersonNames | null {
  const [family = '', ...given] = words
  if (given.length > 0) return { first: given.join(' '), last: family }
  if (lastName === null || !family.startsWith(lastName) || family === lastName) return null
  return { first: family.slice(lastName.length), last: lastName }
}

/** `van der Berg`, `de la Cruz`: words that begin the name of a family. */
const particles = new Set(
  `af al auf av bin ben da dal de degli dei del della den der des di do dos du el la las le lo los ten ter van
  vom von vander zu zum zur 't`.split(/\s+/),
)

/** Where the name of the family begins: it is the buyer's, begins with a particle, or is the last word. */
function familyAt(words: readonly string[], { lastName }: Buyer): number {
  const family = lastName?.trim().split(/\s+/) ?? []
  const own = words.length - family.length
  if (family.length > 0 && own > 0 && plain(words.slice(own).join('')) === plain(family.join(''))) return own
  const particle = words.findIndex((word, at) => at > 0 && particles.has(word.toLowerCase()))
  return particle > 0 && particle < words.length - 1 ? particle : words.length - 1
}
