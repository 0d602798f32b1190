/**
 * What page and frame say to each other. `hello` and `connect` go between the windows, with exact origins; everything after them through
 * the port that `connect` brings. Each message is read field by field: what is none of these, or of another version, is dropped.
 */
const version = 1

/** The frame's first word. The nonce is answered once, so that an old answer opens nothing. */
export type Hello = { readonly prokura: typeof version; readonly kind: 'hello'; readonly nonce: string }

/** What the page wants to be shown. `appearance` is judged by the frame. */
export type ElementOptions = {
  readonly publishableKey: string
  readonly component: string
  readonly profileId: string
  readonly clientSecret: string | null
  readonly appearance: unknown
  readonly locale: string | null
}

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
  | { readonly kind: 'ping' }

export type FrameMessage =
  | { readonly kind: 'ready'; readonly height: number }
  | { readonly kind: 'height'; readonly height: number }
  | { readonly kind: 'change'; readonly complete: boolean; readonly brand: string | null }
  | { readonly kind: 'complete'; readonly paymentMethod: Readonly<Record<string, unknown>> }
  | { readonly kind: 'error'; readonly code: string; readonly message: string }
  /** Its session cannot be opened any more: it needs another bootstrap. */
  | { readonly kind: 'renew' }
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
  const { publishableKey, component, profileId, clientSecret, appearance, locale } = fieldsOf(options)
  if (!isText(publishableKey) || !isText(component) || !isText(profileId)) return null
  return connectOf(nonce, {
    publishableKey,
    component,
    profileId,
    clientSecret: textOf(clientSecret),
    appearance,
    locale: textOf(locale),
  })
}

export function readPageMessage(data: unknown): PageMessage | null {
  const { kind, appearance, locale, bootstrap } = fieldsOf(data)
  if (kind === 'ping') return { kind }
  if (kind === 'update') return { kind, appearance, locale: textOf(locale) }
  return kind === 'bootstrap' && isText(bootstrap) ? { kind, bootstrap } : null
}

export function readFrameMessage(data: unknown): FrameMessage | null {
  const { kind, height, complete, brand, paymentMethod, code, message } = fieldsOf(data)
  if (kind === 'pong' || kind === 'renew') return { kind }
  if (kind === 'ready' || kind === 'height')
    return typeof height === 'number' && height >= 0 && height <= heightMax ? { kind, height } : null
  if (kind === 'change')
    return typeof complete === 'boolean' ? { kind, complete, brand: textOf(brand) } : null
  if (kind === 'complete') return isRecord(paymentMethod) ? { kind, paymentMethod } : null
  return kind === 'error' && isText(code) && isText(message) ? { kind, code, message } : null
}

/** More pixels than any form has. */
const heightMax = 20_000

function fieldsOf(data: unknown): Record<string, unknown> {
  return isRecord(data) ? data : {}
}

function isRecord(data: unknown): data is Record<string, unknown> {
  return typeof data === 'object' && data !== null && !Array.isArray(data)
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== ''
}

function textOf(value: unknown): string | null {
  return isText(value) ? value : null
}
