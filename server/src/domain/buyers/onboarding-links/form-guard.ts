import { timingSafeEqual } from 'node:crypto'
import type { HostedRequest } from '../../../contract/hosted-page.ts'

/**
 * The cookie of the session that replaces a link's token. No script reads it and no other site sends it. Over https its name says that
 * this host set it, for all of its paths, and that no neighboring domain can: browsers enforce that.
 */
export function sessionCookieOf(publicUrl: string): string {
  // guard cookie-of-this-host: no neighbouring domain sets the session of a page
  return isSecure(publicUrl) ? '__Host-prokura_onboarding' : 'prokura_onboarding'
}

/** Derived from the session alone, so that only a page that was shown in the session has it. */
export function formTokenOf(hashToken: (token: string) => Buffer, session: string): string {
  return hashToken(`onboarding-form ${session}`).toString('hex')
}

export function isFormToken(given: string | null, expected: string): boolean {
  const [a, b] = [Buffer.from(given ?? '', 'utf8'), Buffer.from(expected, 'utf8')]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Whether a form was sent by a page of another site. Our pages send no referrer, and then browsers send the origin `null`, which proves
 * nothing. `sec-fetch-site`, which no page can choose, tells the two apart.
 */
export function isFromElsewhere({ headers }: HostedRequest, publicUrl: string): boolean {
  const { origin, 'sec-fetch-site': site } = headers
  if (site !== undefined && site !== 'same-origin' && site !== 'none') return true
  return origin !== undefined && origin !== 'null' && origin !== new URL(publicUrl).origin
}

export function cookieOf(publicUrl: string, value: string, maxAgeSeconds: number): Record<string, string> {
  const { pathname } = new URL(publicUrl)
  const path = isSecure(publicUrl) ? '/' : `${pathname.replace(/\/$/, '')}/onboarding`
  const secure = isSecure(publicUrl) ? '; Secure' : ''
  const name = sessionCookieOf(publicUrl)
  return {
    'set-cookie': `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Strict${secure}`,
  }
}

function isSecure(publicUrl: string): boolean {
  return new URL(publicUrl).protocol === 'https:'
}
