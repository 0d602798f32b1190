/** What a browser that has claimed a link has of it. */
export type LinkToken = { readonly token: string; readonly secret: string }

type Storing = () => Pick<Storage, 'getItem' | 'setItem'>

type Place = {
  readonly location: Pick<Location, 'hash' | 'pathname'>
  readonly history: Pick<History, 'replaceState'>
  /** Throws where the browser keeps nothing. */
  readonly storage: Storing
  /** The secret of this browser for a token. */
  readonly secretFor: (token: string) => Promise<string>
}

const storedAs = 'prokura-approval-link'

/**
 * The token of the link. It leaves the address bar at once, where others see it and programs copy it from; for a reload it stays in this
 * tab. The secret is made before it is needed: an answer that is lost then loses no link. Null: there is no link here.
 */
export async function takeLink({ location, history, storage, secretFor }: Place): Promise<LinkToken | null> {
  const token = location.hash.slice(1)
  const kept = stored(storage)
  if (token !== '') history.replaceState(null, '', location.pathname)
  if (token === '' || token === kept?.token) return kept
  const link = { token, secret: await secretFor(token) }
  try {
    storage().setItem(storedAs, JSON.stringify(link))
  } catch {
    // The page works until it is loaded again.
  }
  return link
}

function stored(storage: Storing): LinkToken | null {
  try {
    const { token, secret } = JSON.parse(storage().getItem(storedAs) ?? '{}')
    return typeof token === 'string' && typeof secret === 'string' ? { token, secret } : null
  } catch {
    return null
  }
}
