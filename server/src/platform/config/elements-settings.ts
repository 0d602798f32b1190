/** Of components in pages. */
export const elementsSettings = {
  PROKURA_ELEMENTS_URL: {
    kind: { type: 'url', protocols: ['http:', 'https:'], isBase: true },
    default: null,
    description:
      'The origin of the frames in which people enter cards: another name of the API than that of PROKURA_PUBLIC_URL, which a proxy leads to the same port. It serves nothing else, and its pages alone may leave cards with the vault. `prokura up` sets it.',
  },
  PROKURA_RP_ID: {
    kind: { type: 'text' },
    default: null,
    description:
      'Whose passkeys those of the window are in which people confirm a card: the host of PROKURA_ELEMENTS_URL, or a domain above it. ' +
      'Without it, that host. Once it changes, the passkeys made before prove nothing.',
  },
} as const

type Name = keyof typeof elementsSettings

export function elementsOf(text: (name: Name) => string | null) {
  return { elementsUrl: text('PROKURA_ELEMENTS_URL'), rpId: text('PROKURA_RP_ID') }
}

/** Browsers make no passkey for another domain, and none for a name that many share, such as `com`. */
export function relyingPartyFaults(values: ReadonlyMap<string, unknown>): string[] {
  const [id, url] = [values.get('PROKURA_RP_ID'), values.get('PROKURA_ELEMENTS_URL')]
  if (typeof id !== 'string') return []
  if (typeof url !== 'string') return ['PROKURA_RP_ID needs PROKURA_ELEMENTS_URL; set both or none']
  const host = new URL(url).hostname
  // guard passkeys-of-the-own-domain: a service that asks for passkeys of a domain that is not its own gets none
  if (id === host || (id.includes('.') && host.endsWith(`.${id}`))) return []
  return [
    `PROKURA_RP_ID must be ${host}, the host of PROKURA_ELEMENTS_URL, or a domain above it, not ${JSON.stringify(id)}`,
  ]
}
