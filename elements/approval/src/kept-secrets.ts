import { newSecret } from './random.ts'

type Keeping = {
  /** Throws where the browser keeps nothing. */
  readonly storage: () => Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>
  readonly now: () => number
}

const prefix = 'prokura-approval:'
/** Until the link was looked at, it is not known when it ends. */
const unknownMs = 86_400_000

type Kept = { readonly secret: string; readonly until: number }

/**
 * The secret by which a link is this browser's, whichever of its tabs opens it: by a digest of the token, so that what is kept opens no
 * link by itself. Whoever uses the same browser may look at the purchase; what approves it is the proof of a card.
 */
export async function keptSecret(token: string, { storage, now }: Keeping): Promise<string> {
  const secret = newSecret()
  try {
    const name = await nameOf(token)
    const kept = read(storage().getItem(name))
    removeOld(storage(), now())
    if (kept !== null && kept.until > now()) return kept.secret
    storage().setItem(name, JSON.stringify({ secret, until: now() + unknownMs }))
  } catch {
    // Then the link is this tab's alone.
  }
  return secret
}

/** Nothing of a link is kept for longer than it can be answered. */
export async function keepUntil(token: string, until: Date, { storage }: Keeping): Promise<void> {
  try {
    const name = await nameOf(token)
    const kept = read(storage().getItem(name))
    if (kept !== null) storage().setItem(name, JSON.stringify({ ...kept, until: until.getTime() }))
  } catch {
    // Nothing is kept.
  }
}

/** There is no `crypto.subtle` where a page is served without TLS from another machine. */
async function nameOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(token))
  const hex = Array.from(new Uint8Array(digest), (byte) => byte.toString(16).padStart(2, '0')).join('')
  return prefix + hex
}

function removeOld(storage: ReturnType<Keeping['storage']>, now: number): void {
  const names = Array.from({ length: storage.length }, (_, index) => storage.key(index))
  for (const name of names)
    if (name?.startsWith(prefix) && (read(storage.getItem(name))?.until ?? 0) <= now) storage.removeItem(name)
}

function read(text: string | null): Kept | null {
  try {
    const { secret, until } = JSON.parse(text ?? '{}')
    return typeof secret === 'string' && typeof until === 'number' ? { secret, until } : null
  } catch {
    return null
  }
}
