/**
 * What page and frame say to each other. `hello` and `connect` go between the windows, with exact origins; everything after them through
 * the port that `connect` brings. Each message is read field by field: what is none of these, or of another version, is dropped.
 */
const version = 1

/** The frame's first word. The nonce is answered once, so that an old answer opens nothing. */
export type Hello = { readonly prokura: typeof version; readonly kind: 'hello'; readonly nonce: string }

/** What the page wants to be shown, and for whom: a profile or a purchase. `appearance` is judged by the frame. */
export type ElementOptions = {
  readonly publishableKey: string
  readonly component: string
  readonly profileId: string | null
  readonly purchaseIntentId: string | null
  readonly clientSecret: string | null
  /** The component's own options, judged by the component. */
  readonly settings: Fields
  readonly appearance: unknown
  readonly locale: string | null
}

/** Data whose fields are read by whoever knows them. */
export type Fields = Readonly<Record<string, unknown>>

export type Connect = {
  readonly prokura: typeof version
  readonly kind: 'connect'
  readonly nonce: string
  readonly options: ElementOptions
}

export type PageMessage =
  | { readonly kind: 'update'; readonly appearance: unknown; readonly locale: string | null }
  /** The answer to `renew`. */
  | { readonly kind: 'bootstrap'; readonly bootstrap: string }
  /** The page's own button was pressed. It has opened the window that the frame had announced, if it says so. */
  | { readonly kind: 'authorize'; readonly id: string; readonly isOpened: boolean }
  | { readonly kind: 'ping' }

export type FrameMessage =
  | { readonly kind: 'ready'; readonly height: number }
  | { readonly kind: 'height'; readonly height: number }
  | { readonly kind: 'change'; readonly complete: boolean; readonly brand: string | null }
  /** The component has done what it is for; the result is its own. */
  | { readonly kind: 'complete'; readonly result: Fields }
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  /** Its session cannot be opened any more: it needs another bootstrap. */
  | { readonly kind: 'renew' }
  /** What the page has to open when its button is pressed: only the page has the click. Null: nothing any more. */
  | { readonly kind: 'window'; readonly url: string | null }
  | { readonly kind: 'authorized'; readonly id: string; readonly output: Fields }
  | {
      readonly kind: 'not_authorized'
      readonly id: string
      readonly code: string
      readonly message: string
    }
  | { readonly kind: 'pong' }

export function helloOf(nonce: string): Hello {
  return { prokura: version, kind: 'hello', nonce }
}

export function connectOf(nonce: string, options: ElementOptions): Connect {
  return { prokura: version, kind: 'connect', nonce, options }
}

export function readHello(data: unknown): Hello | null {
  const { prokura, kind, nonce } = fieldsOf(data)
  return prokura === version && kind === 'hello' && isText(nonce) ? helloOf(nonce) : null
}

export function readConnect(data: unknown): Connect | null {
  const { prokura, kind, nonce, options } = fieldsOf(data)
  if (prokura !== version || kind !== 'connect' || !isText(nonce)) return null
  const { publishableKey, component, profileId, purchaseIntentId, clientSecret } = fieldsOf(options)
  const { settings, appearance, locale } = fieldsOf(options)
  const isForOne = isText(profileId) !== isText(purchaseIntentId)
  if (!isText(publishableKey) || !isText(component) || !isForOne) return null
  return connectOf(nonce, {
    publishableKey,
    component,
    profileId: textOf(profileId),
    purchaseIntentId: textOf(purchaseIntentId),
    clientSecret: textOf(clientSecret),
    settings: fieldsOf(settings),
    appearance,
    locale: textOf(locale),
  })
}

export function readPageMessage(data: unknown): PageMessage | null {
  const { kind, appearance, locale, bootstrap, id, isOpened } = fieldsOf(data)
  if (kind === 'ping') return { kind }
  if (kind === 'update') return { kind, appearance, locale: textOf(locale) }
  if (kind === 'authorize') return isText(id) ? { kind, id, isOpened: isOpened === true } : null
  return kind === 'bootstrap' && isText(bootstrap) ? { kind, bootstrap } : null
}

export function readFrameMessage(data: unknown): FrameMessage | null {
  const { kind, height, complete, brand, result, code, message } = fieldsOf(data)
  const { id, output, url } = fieldsOf(data)
  if (kind === 'pong' || kind === 'renew') return { kind }
  if (kind === 'ready' || kind === 'height')
    return typeof height === 'number' && height >= 0 && height <= heightMax ? { kind, height } : null
  if (kind === 'change')
    return typeof complete === 'boolean' ? { kind, complete, brand: textOf(brand) } : null
  if (kind === 'complete') return isRecord(result) ? { kind, result } : null
  if (kind === 'window') return { kind, url: textOf(url) }
  if (kind === 'authorized') return isText(id) && isRecord(output) ? { kind, id, output } : null
  if (!isText(code) || !isText(message)) return null
  if (kind === 'not_authorized') return isText(id) ? { kind, id, code, message } : null
  return kind === 'error' ? { kind, code, message } : null
}

/** More pixels than any form has. */
const heightMax = 20_000

function fieldsOf(data: unknown): Fields {
  return isRecord(data) ? data : {}
}

function isRecord(data: unknown): data is Fields {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function textOf(value: unknown): string | null {
  return isText(value) ? value : null
}
