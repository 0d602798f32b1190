import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Id } from '../../core/id.ts'
import type { Dialect } from './dialect.ts'

/** One request, and where its answer goes. */
export type Exchange = {
  readonly id: Id<'req'>
  readonly request: IncomingMessage
  readonly response: ServerResponse
  /** The caller's address, behind our proxies. */
  readonly client: string
  /** By the monotonic clock. */
  readonly startedAtMs: number
  readonly route: Refusing
  /** The parameters of the path, decoded. */
  readonly path: Readonly<Record<string, string | undefined>>
  /** A name that occurs twice has a list. */
  readonly query: Readonly<Record<string, unknown>>
}

/** How requests of a path are refused, before or instead of being served. */
type Refusing = {
  /** The template, as operations write it: `/v1/profiles/{profile_id}`. */
  readonly path: string
  /** The dialect of refusals, whatever part of the server refuses; the server's own where none is given. */
  readonly dialect?: Dialect
  /** Pages of other origins may call it, and read its answers. */
  readonly isForPages?: true
}

/** What a surface serves at a path. */
export type Route = Refusing & {
  readonly methods: readonly string[]
  /** Answers the request, at any time later. The server refuses the request with whatever error it throws. */
  serve(exchange: Exchange): void | Promise<void>
}
