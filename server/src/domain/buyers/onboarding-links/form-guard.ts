import { timingSafeEqual } from 'node:crypto'
import type { HostedRequest } from '../../../contract/hosted-page.ts'

/**
 * What a link's token is exchanged for, in a cookie that no script reads and no other site sends. Over https its name says that this
 * host set it, for all of its paths, and no neighbouring domain can: browsers hold it to that.
 */
export function sessionCookieOf(publicUrl: string): string {
  return isSecure(publicUrl) ? '__Host-prokura_onboarding' : 'prokura_onboarding'
}

/** Of the session alone, so that only a page that was shown in it has it. */
export function formTokenOf(hashToken: (token: string) => Buffer, session: string): string {
  return hashToken(`onboarding-form ${session}`).toString('hex')
}

export function isFormToken(given: string | null, expected: string): boolean {
  const [a, b] = [Buffer.from(given ?? '', 'utf8'), Buffer.from(expected, 'utf8')]
  return a.length === b.length && timingSafeEqual(a, b)
}

/**
 * Whether a form was sent by a page of another site. Our pages send no referrer, and browsers say the origin `null` then: that alone
 * proves nothing, but `sec-fetch-site`, which no page can choose, tells the two apart.
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
