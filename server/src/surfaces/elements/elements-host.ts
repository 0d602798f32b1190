/** Whether a request came to a host that serves frames. Their origins are others than the API's, and serve nothing else. */
export type ElementsHost = {
  readonly origin: string | null
  isHere(host: string | undefined): boolean
  /** The path that a request to that host means; null: it came to another host. */
  pathOf(host: string | undefined, url: string): string | null
}

/** No route begins like this. */
const nowhere = '/not-served-to-frames'

/** The host of this address, which serves what lies below a path. */
export function elementsHost(address: string | null, below: '/elements/' | '/cards/'): ElementsHost {
  const own = address === null ? null : new URL(address).host
  const isHere = (host: string | undefined) => own !== null && host?.toLowerCase() === own
  return {
    origin: address === null ? null : new URL(address).origin,
    isHere,
    // guard frames-host-serves-frames: on the origin of the frames nothing of the API answers
    pathOf: (host, url) => (isHere(host) ? (url.startsWith(below) ? url : nowhere) : null),
  }
}
