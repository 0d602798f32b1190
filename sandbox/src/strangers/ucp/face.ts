import { type Release, releases } from './releases.ts'

export type Transport = 'rest' | 'mcp'

/** The shop under one of its names: what it says of itself there. */
export type Face = {
  host: string
  /** Newest first. */
  releases: readonly Release[]
  transports: readonly Transport[]
  /** Whether it can be paid with what platforms of this sandbox have. */
  isPayable: boolean
}

export const mainHost = 'ucp.shop.test'

const main: Face = { host: mainHost, releases, transports: ['rest', 'mcp'], isPayable: true }

/** It has the same key, and is another shop to whoever buys. */
export const anotherFace: Face = { ...main, host: `elsewhere.${mainHost}`, isPayable: false }

/** The shop, and the same shop as others have set theirs up: tools alone, the first release alone, another way to pay. */
export const faces: readonly Face[] = [
  main,
  { ...main, host: `tools.${mainHost}`, transports: ['mcp'], releases: ['2026-08-25', '2026-04-08'] },
  { ...main, host: `old.${mainHost}`, transports: ['rest'], releases: ['2026-01-11'] },
  anotherFace,
]

/** Where the shop takes payments of people whom a platform has sent on. */
export const checkoutHost = `checkout.${mainHost}`

export function profileUrl({ host }: Pick<Face, 'host'>): string {
  return `https://${host}/.well-known/ucp`
}

export function endpointPath(release: Release, transport: Transport): string {
  return `/ucp/${release}${transport === 'mcp' ? '/mcp' : ''}`
}
