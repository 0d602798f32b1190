/** A bare item of RFC 8941. Decimals occur in no header that is read here. */
type BareItem =
  | { readonly kind: 'string'; readonly value: string }
  | { readonly kind: 'token'; readonly value: string }
  | { readonly kind: 'integer'; readonly value: number }
  | { readonly kind: 'boolean'; readonly value: boolean }
  | { readonly kind: 'bytes'; readonly value: Uint8Array }

type Parameters = ReadonlyMap<string, BareItem>

export type Item = { readonly kind: 'item'; readonly item: BareItem; readonly parameters: Parameters }

export type InnerList = {
  readonly kind: 'list'
  readonly items: readonly Item[]
  readonly parameters: Parameters
}

type Dictionary = ReadonlyMap<string, Item | InnerList>

/** Longer ones are refused: each byte of a header is read before anything is known of its sender. */
const charactersMax = 8192

/** Reads a header that is a dictionary, strictly as RFC 8941 section 4.2 has it; null: it is none. */
export function parseDictionary(text: string): Dictionary | null {
  if (text.length > charactersMax) return null
  try {
    return new Parser(text).dictionary()
  } catch (error) {
    if (error instanceof Malformed) return null
    throw error
  }
}

export function serializeMember(member: Item | InnerList): string {
  if (member.kind === 'item') return serializeItem(member)
  return `(${member.items.map(serializeItem).join(' ')})${serializeParameters(member.parameters)}`
}

export function serializeItem({ item, parameters }: Item): string {
  return serializeBare(item) + serializeParameters(parameters)
}

/** An item without parameters. */
export function stringItem(value: string): Item {
  return { kind: 'item', item: { kind: 'string', value }, parameters: new Map() }
}

function serializeParameters(parameters: Parameters): string {
  return [...parameters]
    .map(([key, value]) =>
      value.kind === 'boolean' && value.value ? `;${key}` : `;${key}=${serializeBare(value)}`,
    )
    .join('')
}

function serializeBare(item: BareItem): string {
  switch (item.kind) {
    case 'string':
      return `"${item.value.replaceAll(/["\\]/g, '\\$&')}"`
    case 'token':
      return item.value
    case 'integer':
      return String(item.value)
    case 'boolean':
      return item.value ? '?1' : '?0'
    case 'bytes':
      return `:${Buffer.from(item.value).toString('base64')}:`
    default:
      return item satisfies never
  }
}

class Malformed extends Error {}

const keyForm = /[a-z*][a-z0-9_.*-]*/y
const tokenForm = /[A-Za-z*][A-Za-z0-9!#$%&'*+.^_`|~:/-]*/y
const integerForm = /-?[0-9]{1,15}(?![0-9.])/y
const stringForm = /"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"/y
const bytesForm = /:([A-Za-z0-9+/]*={0,2}):/y
const booleanForm = /\?([01])/y
const spaces = / */y
const blanks = /[ \t]*/y

class Parser {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text.replaceAll(/^ +| +$/g, '')
  }

  dictionary(): Dictionary {
    const members = new Map<string, Item | InnerList>()
    while (this.#at < this.#text.length) {
      const key = this.#take(keyForm)
      const member = this.#skip('=') ? this.#member() : this.#parametrized({ kind: 'boolean', value: true })
      // The last of two members of one name counts, and stands where the last one stood.
      members.delete(key)
      members.set(key, member)
      this.#take(blanks)
      if (this.#at === this.#text.length) return members
      if (!this.#skip(',')) throw new Malformed()
      this.#take(blanks)
      if (this.#at === this.#text.length) throw new Malformed()
    }
    return members
  }

  #member(): Item | InnerList {
    return this.#skip('(') ? this.#innerList() : this.#item()
  }

  #innerList(): InnerList {
    const items: Item[] = []
    for (;;) {
      this.#take(spaces)
      if (this.#skip(')')) return { kind: 'list', items, parameters: this.#parameters() }
      items.push(this.#item())
      const next = this.#text[this.#at]
      if (next !== ' ' && next !== ')') throw new Malformed()
    }
  }

  #item(): Item {
    return this.#parametrized(this.#bare())
  }

  #parametrized(item: BareItem): Item {
    return { kind: 'item', item, parameters: this.#parameters() }
  }

  #parameters(): Parameters {
    const parameters = new Map<string, BareItem>()
    while (this.#skip(';')) {
      this.#take(spaces)
      const key = this.#take(keyForm)
      const value = this.#skip('=') ? this.#bare() : ({ kind: 'boolean', value: true } as const)
      parameters.delete(key)
      parameters.set(key, value)
    }
    return parameters
  }

  #bare(): BareItem {
    const first = this.#text[this.#at] ?? ''
    if (first === '"')
      return { kind: 'string', value: this.#take(stringForm, 1).replaceAll(/\\(["\\])/g, '$1') }
    if (first === ':') return { kind: 'bytes', value: Buffer.from(this.#take(bytesForm, 1), 'base64') }
    if (first === '?') return { kind: 'boolean', value: this.#take(booleanForm, 1) === '1' }
    if (/[-0-9]/.test(first)) return { kind: 'integer', value: Number(this.#take(integerForm)) }
    return { kind: 'token', value: this.#take(tokenForm) }
  }

  #skip(character: string): boolean {
    if (this.#text[this.#at] !== character) return false
    this.#at += 1
    return true
  }

  #take(form: RegExp, group = 0): string {
    form.lastIndex = this.#at
    const found = form.exec(this.#text)
    if (!found) throw new Malformed()
    this.#at = form.lastIndex
    return found[group] ?? ''
  }
}
