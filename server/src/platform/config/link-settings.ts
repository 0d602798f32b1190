import { isRehearsal } from './is-rehearsal.ts'

/** Of Link's agent wallet, by which people pay at pages from their own Link account. */
export const linkSettings = {
  PROKURA_LINK_URL: {
    kind: { type: 'url', protocols: ['http:', 'https:'], isBase: true },
    default: null,
    description:
      "The base of Link's API, https://api.link.com, where wallets pay in live mode, for API, workers and vault. An address of this machine is a simulator. Without it, no wallet pays.",
  },
  PROKURA_LINK_CLIENT_ID: {
    kind: { type: 'text' },
    default: null,
    description:
      'As whom you are known at Link (lwlpk_…), for API and workers. It goes with PROKURA_LINK_URL.',
  },
  PROKURA_LINK_LOGIN_URL: {
    kind: { type: 'url', protocols: ['http:', 'https:'], isBase: true },
    default: 'https://login.link.com',
    description: 'Where people sign in to Link. It is changed for a simulator alone.',
  },
} as const

export type LinkAccount = { readonly url: string; readonly loginUrl: string; readonly clientId: string }

export function linkOf(text: (name: keyof typeof linkSettings) => string | null): LinkAccount | null {
  const [url, clientId, loginUrl] = [
    text('PROKURA_LINK_URL'),
    text('PROKURA_LINK_CLIENT_ID'),
    text('PROKURA_LINK_LOGIN_URL'),
  ]
  return url === null || clientId === null || loginUrl === null ? null : { url, loginUrl, clientId }
}

/** A half of it would look like none, and real wallets would pay in a rehearsal. */
export function linkFaults(values: ReadonlyMap<string, unknown>): string[] {
  const [url, client] = [values.get('PROKURA_LINK_URL'), values.get('PROKURA_LINK_CLIENT_ID')]
  const isLive = values.get('PROKURA_LIVE_RAIL') === 'stripe'
  const isSet = (value: unknown) => typeof value === 'string'
  if (isSet(client) && !isSet(url))
    return ['PROKURA_LINK_CLIENT_ID needs PROKURA_LINK_URL, such as https://api.link.com; set both or none']
  if (isSet(client) && !isLive)
    return [
      'PROKURA_LINK_CLIENT_ID needs PROKURA_LIVE_RAIL=stripe: wallets pay beside it, in live mode alone',
    ]
  if (!isSet(client)) {
    // The vault reads numbers there, and is known there as nobody.
    return isSet(url) && isLive
      ? ['PROKURA_LINK_URL needs PROKURA_LINK_CLIENT_ID, as whom you are known at Link; set both or none']
      : []
  }
  const addresses = [url, values.get('PROKURA_LINK_LOGIN_URL'), values.get('PROKURA_STRIPE_URL')]
  return new Set(addresses.map(isRehearsal)).size === 1
    ? []
    : [
        'PROKURA_LINK_URL, PROKURA_LINK_LOGIN_URL and PROKURA_STRIPE_URL are of simulators on this machine or of the real services, all three of them; set them so',
      ]
}
