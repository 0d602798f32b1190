import type { Asking } from './memory.ts'

type Kind = 'payment' | 'setup' | 'token'

/** Where the holder of a card confirms: a page that is opened, or what the script of a page does, which is not done here. */
export function nextAction(pagesUrl: string, kind: Kind, id: string, { return_url }: Asking) {
  const url = `${pagesUrl}/confirm/${kind}/${id}`
  return return_url === null
    ? { type: 'use_stripe_sdk' as const, use_stripe_sdk: { type: 'three_d_secure_redirect', stripe_js: url } }
    : { type: 'redirect_to_url' as const, redirect_to_url: { return_url, url } }
}
