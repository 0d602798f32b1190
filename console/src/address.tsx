import { type AnchorHTMLAttributes, type MouseEvent, useSyncExternalStore } from 'react'

export type Mode = 'test' | 'live'

/** Where a person is in the console. All that decides what they see stands in the address. */
export type Address = {
  /** Below the console, with a slash before it. */
  readonly path: string
  /** Null: the first one of the person. */
  readonly account: string | null
  readonly mode: Mode
  readonly query: URLSearchParams
}

/** The console, as the server says where it is: behind a proxy it may be below a path of another service. */
export const home = new URL(document.getElementById('root')?.dataset.home ?? '/console', location.href)

const moved = 'prokura:moved'

export function useAddress(): Address {
  const seen = useSyncExternalStore(listen, () => location.pathname + location.search)
  return addressOf(new URL(seen, location.origin))
}

function listen(onMove: () => void): () => void {
  addEventListener('popstate', onMove)
  addEventListener(moved, onMove)
  return () => {
    removeEventListener('popstate', onMove)
    removeEventListener(moved, onMove)
  }
}

function addressOf({ pathname, searchParams: query }: URL): Address {
  return {
    path: pathname.slice(home.pathname.length).replace(/\/+$/, '') || '/',
    account: query.get('account'),
    mode: query.get('mode') === 'live' ? 'live' : 'test',
    query,
  }
}

/** What is kept of an address on the way to another one: whose it is, and in which mode. */
export function within({ account, mode }: Pick<Address, 'account' | 'mode'>, to: string): string {
  const [path = '', asked = ''] = to.split('?')
  const query = new URLSearchParams(asked)
  if (account !== null) query.set('account', account)
  if (mode === 'live') query.set('mode', mode)
  return query.size === 0 ? path : `${path}?${query}`
}

/** `replace`: nobody comes back to the address that is left. */
export function go(to: string, { replace = false } = {}): void {
  history[replace ? 'replaceState' : 'pushState'](null, '', home.pathname + to)
  dispatchEvent(new Event(moved))
  scrollTo(0, 0)
}

/** Where to go on after a sign-in: an address of the console, and none of another page. */
export function nextOf({ query }: Pick<Address, 'query'>): string {
  const next = query.get('next') ?? ''
  return /^\/(?![/\\])/.test(next) ? next : '/approvals'
}

type LinkProps = AnchorHTMLAttributes<HTMLAnchorElement> & { readonly to: string }

/** A link within the console. What browsers do with links besides, such as a new tab, they do. */
export function Link({ to, ...rest }: LinkProps) {
  const follow = (event: MouseEvent) => {
    if (event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    go(to)
  }
  return <a {...rest} href={home.pathname + to} onClick={follow} />
}
