/** What is wrong with a document that somebody else has published, for the person who can mend it. */
export type DocumentFault = {
  /** Where, as a JSON Pointer; empty for the whole document. */
  readonly path: string
  /** `error`: a reader must not use what is there. `warning`: it can be used, and something will go wrong with some readers. */
  readonly severity: 'error' | 'warning'
  readonly message: string
  readonly fix: string
}

/** A document with a mistake in each of its thousand entries says no more by the hundredth. */
const faultsMax = 100

/** The faults of one document, in the order in which they were found. */
export class Faults {
  readonly #found: DocumentFault[] = []

  get found(): readonly DocumentFault[] {
    return this.#found
  }

  error(at: Path, message: string, fix: string): void {
    this.#add({ path: pointerOf(at), severity: 'error', message, fix })
  }

  warn(at: Path, message: string, fix: string): void {
    this.#add({ path: pointerOf(at), severity: 'warning', message, fix })
  }

  #add(fault: DocumentFault): void {
    if (this.#found.length < faultsMax) this.#found.push(fault)
  }
}

export type Path = readonly (string | number)[]

/** Names come from strangers: a path of them is cut, and has no characters that a terminal would obey. */
function pointerOf(path: Path): string {
  return path
    .map((step) => `/${shown(String(step).slice(0, 80)).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('')
}

/** A stranger's text inside a sentence of ours. */
function shown(text: string): string {
  return text.slice(0, 200).replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '�')
}

export type JsonObject = Readonly<Record<string, unknown>>

export function isObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** A member that the document itself has: never one of the prototype of all objects. */
export function member(object: JsonObject, name: string): unknown {
  return Object.hasOwn(object, name) ? object[name] : undefined
}

/** The first members of an object: more than a document can mean are not read. */
export function membersOf(object: JsonObject, max = 200): [string, unknown][] {
  return Object.entries(object).slice(0, max)
}

/** A text that can be stored and shown: not empty, not longer than `max`, without control characters and broken characters. */
export function cleanText(value: unknown, max: number): string | null {
  if (typeof value !== 'string' || value === '' || value.length > max) return null
  return value.isWellFormed() && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(value) ? value : null
}

/** The texts among the first values of a list. */
export function cleanTexts(value: unknown, { max, each }: { max: number; each: number }): string[] {
  const list = Array.isArray(value) ? value : []
  return list.slice(0, max).flatMap((one) => cleanText(one, each) ?? [])
}

/** Whether an address may stand in a document: https, or plain http of this machine where that is allowed. */
export function isSafeUrl(text: string, { allowLoopback }: { allowLoopback: boolean }): boolean {
  const url = URL.parse(text)
  if (url === null || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'https:') return true
  return allowLoopback && url.protocol === 'http:' && /^(127(\.\d+){3}|\[::1\]|localhost)$/.test(url.hostname)
}
