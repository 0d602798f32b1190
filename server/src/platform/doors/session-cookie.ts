/**
 * The cookie of a person's session: out of reach of scripts, and sent with no request that another site began. Over https its name says
 * that this host set it, for all of its paths; browsers take no such name over http, which is this machine's own.
 */
export function sessionCookie(publicUrl: string, token: string, maxAgeSeconds: number): string {
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  return `${nameOf(publicUrl)}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`
}

/** The token of a session in a `Cookie` header; null: there is none. */
export function sessionTokenIn(cookies: string | undefined, publicUrl: string): string | null {
  if (cookies === undefined) return null
  const name = nameOf(publicUrl)
  for (const cookie of cookies.split(/; */)) {
    const at = cookie.indexOf('=')
    if (cookie.slice(0, at) !== name) continue
    const token = cookie.slice(at + 1)
    return /^pr_ps_[0-9A-Za-z]{33}$/.test(token) ? token : null
  }
  return null
}

function nameOf(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-prokura_session' : 'prokura_session'
}

function isSecure(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:'
}
