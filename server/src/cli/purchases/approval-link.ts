import { isIP } from 'node:net'
import { renderUnicodeCompact } from 'uqr'
import type { ApprovalLink } from '../../domain/buying/approval-links/approval-link.ts'
import { isLoopbackAddress } from '../../platform/egress/address.ts'

/** What is said of a link to a page on which a person approves: its address, for a message, and for the camera of a phone. */
export function linkLines({ url, expires_at }: Pick<ApprovalLink, 'url' | 'expires_at'>): string[] {
  const until = expires_at.slice(0, 16).replace('T', ' ')
  return [
    `Open this where it is to be approved. The first browser in which somebody goes on keeps it; it works until ${until} (UTC).`,
    '',
    ...addressLines(url),
  ]
}

/** An address that people open, as text and, where a phone reaches it, for its camera. */
export function addressLines(url: string): string[] {
  if (isOfThisMachine(new URL(url)))
    return [
      url,
      '',
      'Only browsers of this machine reach this address, so there is no QR code of it. Start the service with PROKURA_PUBLIC_URL and PROKURA_ELEMENTS_URL, two names of it that phones reach by https, to get one.',
    ]
  return [url, '', ...renderUnicodeCompact(url).split('\n')]
}

function isOfThisMachine({ hostname }: URL): boolean {
  const address = hostname.replace(/^\[|\]$/g, '')
  if (isIP(address) !== 0) return isLoopbackAddress(address)
  return /(?:^|\.)localhost$/.test(hostname)
}
