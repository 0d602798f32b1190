/** Whether a request came to the host of the frames. Their origin is another one than the API's, and serves nothing else. */
export type ElementsHost = {
  readonly origin: string | null
  isHere(host: string | undefined): boolean
  /** The path that a request to that host means; null: it came to another host. */
  pathOf(host: string | undefined, url: string): string | null
}

/** No route begins like this. */
const nowhere = '/not-served-to-frames'

export function elementsHost(elementsUrl: string | null): ElementsHost {
  const own = elementsUrl === null ? null : new URL(elementsUrl).host
  const isHere = (host: string | undefined) => own !== null && host?.toLowerCase() === own
  return {
    origin: elementsUrl === null ? null : new URL(elementsUrl).origin,
    isHere,
    // guard frames-host-serves-frames: on the origin of the frames nothing of the API answers
    pathOf: (host, url) => (isHere(host) ? (url.startsWith('/elements/') ? url : nowhere) : null),
  }
}
