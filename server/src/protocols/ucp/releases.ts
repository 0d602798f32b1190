/** The releases of UCP that are spoken, newest first. */
export const releases = ['2026-08-25', '2026-04-08', '2026-01-23'] as const

/** The first release, which is spoken as a client alone. */
export const firstRelease = '2026-01-11'

export type Release = (typeof releases)[number]

/** The releases that are spoken as a client, newest first. */
export const clientReleases = [...releases, firstRelease] as const

export type ClientRelease = (typeof clientReleases)[number]

export const newestRelease: Release = releases[0]

export function isRelease(text: string): text is Release {
  return releases.some((release) => release === text)
}

/** The name that catalog, cart, checkout and order share. */
export const shoppingService = 'dev.ucp.shopping'
