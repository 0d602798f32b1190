import type { Id } from '../core/id.ts'

/** A request for a page of ours, from a person's browser. */
export type HostedRequest = {
  readonly requestId: Id<'req'>
  readonly path: Readonly<Record<string, string | undefined>>
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly cookies: ReadonlyMap<string, string>
  /** The fields of a form; empty for a GET. */
  readonly form: URLSearchParams
}

export type HostedReply = {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly html: string
}

/** A page that people open in a browser, without a key: rendered by its slice, mounted by the HTTP server. */
export type HostedPage = {
  readonly method: 'GET' | 'POST'
  /** The path as operations write it: `/onboarding/{token}`. */
  readonly path: `/${string}`
  handle(request: HostedRequest): Promise<HostedReply>
  /** The reply when a request cannot be read, or when the page failed. */
  broken(status: number): HostedReply
}
