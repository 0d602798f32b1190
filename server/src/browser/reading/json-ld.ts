/** What JSON-LD says, as it is: every property may be anything. */
export type Node = Readonly<Record<string, unknown>>

const textMax = 500_000
const nodesMax = 5_000

/** The products that a page describes itself with, without those of lists and recommendations. Bad JSON is no JSON. */
export function productNodes(scripts: readonly string[]): Node[] {
  const found: Node[] = []
  const queue: unknown[] = scripts.slice(0, 50).map(parsed)
  for (let at = 0; at < queue.length && at < nodesMax; at += 1) {
    const value = queue[at]
    if (Array.isArray(value)) queue.push(...value.slice(0, 500))
    else if (isNode(value)) {
      if (isType(value, 'Product', 'ProductGroup', 'IndividualProduct', 'ProductModel')) found.push(value)
      else queue.push(value['@graph'], value.mainEntity, value.mainEntityOfPage)
    }
  }
  return found
}

function parsed(text: string): unknown {
  if (text.length > textMax) return undefined
  // Some shops write a comment around it, or end with a semicolon.
  const bare = text.replace(/^\s*(?:<!--|\/\/<!\[CDATA\[)|(?:-->|\/\/\]\]>|;)\s*$/gu, '')
  return parsedOr(bare, () => parsedOr(mended(bare), () => undefined))
}

function parsedOr(text: string, otherwise: () => unknown): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return otherwise()
  }
}

/** Templates write line breaks into strings, a comma after the last of a list, and quotes as entities. */
function mended(text: string): string {
  const plain = /^\s*[{[]\s*&quot;/u.test(text) ? text.replaceAll('&quot;', '"') : text
  return plain.replace(jsonPiece, (piece, string: string | undefined) =>
    string === undefined ? piece.replace(/,/gu, '') : string.replace(/\p{Cc}/gu, ' '),
  )
}

/** A string as a whole, or a comma that nothing comes after. */
const jsonPiece = /("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/gsu

export function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isType(node: Node, ...names: string[]): boolean {
  return listOf(node['@type']).some(
    (type) =>
      typeof type === 'string' && names.includes(type.replace(/^(?:https?:\/\/schema\.org\/|schema:)/u, '')),
  )
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value.slice(0, 500) : value === undefined || value === null ? [] : [value]
}

export function nodesOf(value: unknown): Node[] {
  return listOf(value).filter(isNode)
}

/** The first text of a property, short and without markup. */
export function textOf(value: unknown): string | null {
  const [first] = listOf(value)
  if (typeof first === 'number') return String(first)
  if (typeof first === 'string') return cleanText(first, 300)
  return isNode(first) && typeof first['@value'] === 'string' ? cleanText(first['@value'], 300) : null
}

/** A text of a page as one line: no tags, no control characters, no more than so many characters. Null where nothing is left. */
export function cleanText(text: string, max: number): string | null {
  const line = text
    .slice(0, max * 4)
    .replace(/<[^<>]{0,200}>/gu, ' ')
    .replace(entity, decoded)
    .replace(/[<>]/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  if (line === '') return null
  return line.length <= max ? line : `${[...line.slice(0, max - 1)].filter(isWhole).join('').trimEnd()}…`
}

function isWhole(character: string): boolean {
  return !/^[\ud800-\udfff]$/u.test(character)
}

const entity = /&(?:#(\d{1,7})|#[xX]([\da-fA-F]{1,6})|([a-zA-Z]{2,8}));/gu

function decoded(whole: string, decimal?: string, hex?: string, name = ''): string {
  const code = decimal === undefined ? (hex === undefined ? null : Number.parseInt(hex, 16)) : Number(decimal)
  if (code !== null)
    return code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ' '
  const [, letter, mark = ''] = /^([a-zA-Z])([a-z]{3,5})$/u.exec(name) ?? []
  const accent = accents.get(mark)
  if (letter !== undefined && accent !== undefined) return `${letter}${accent}`.normalize('NFC')
  return entities.get(name) ?? whole
}

const accents = new Map([
  ['acute', '\u0301'],
  ['grave', '\u0300'],
  ['circ', '\u0302'],
  ['tilde', '\u0303'],
  ['uml', '\u0308'],
  ['ring', '\u030a'],
  ['cedil', '\u0327'],
  ['caron', '\u030c'],
])

const entities = new Map(
  'nbsp=\u00a0 amp=& quot=" apos=\' lt=< gt=> lsquo=‘ rsquo=’ sbquo=‚ ldquo=“ rdquo=” bdquo=„ ndash=– mdash=— hellip=… bull=• middot=· euro=€ pound=£ yen=¥ cent=¢ curren=¤ deg=° times=× copy=© reg=® trade=™ szlig=ß aelig=æ AElig=Æ oslash=ø Oslash=Ø oelig=œ OElig=Œ eth=ð thorn=þ laquo=« raquo=» sup2=² sup3=³ frac12=½ micro=µ shy=\u00ad thinsp=\u2009 ensp=\u2002 emsp=\u2003 lrm=\u200e rlm=\u200f'
    .split(' ')
    .map((one): [string, string] => {
      const at = one.indexOf('=')
      return [one.slice(0, at), one.slice(at + 1)]
    }),
)
