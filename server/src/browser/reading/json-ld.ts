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
  try {
    // Some shops write a comment around it, or end with a semicolon.
    return JSON.parse(text.replace(/^\s*(?:<!--|\/\/<!\[CDATA\[)|(?:-->|\/\/\]\]>|;)\s*$/gu, ''))
  } catch {
    return undefined
  }
}

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
    .replace(/&(?:nbsp|amp|quot|#39);/gu, (entity) => entities.get(entity) ?? ' ')
    .replace(/[<>]/gu, ' ')
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim()
  if (line === '') return null
  return line.length <= max ? line : `${[...line.slice(0, max - 1)].filter(isWhole).join('').trimEnd()}…`
}

function isWhole(character: string): boolean {
  return !/^[\ud800-\udfff]$/u.test(character)
}

const entities = new Map([
  ['&nbsp;', ' '],
  ['&amp;', '&'],
  ['&quot;', '"'],
  ['&#39;', "'"],
])
