import type { Static, TObject, TSchema } from 'typebox'
import type { JsonSchema } from '../schema/json-schema.ts'
import type { Actor, CallContext, Reads, Sealer, ShownTerms, Tenant } from './context.ts'
import type { RequestExamples } from './examples.ts'
import type { Port } from './port.ts'
import type { Problem } from './problem.ts'
import type { ProblemCode } from './problem-codes.ts'
import type { Scope } from './scopes.ts'

/**
 * `secret`: a secret key. `optional`: a secret key, a publishable one of the page that asks (published data), or none (live mode,
 * published data). `none`: public. `signed`: a destination's signature, or a secret key. `platform`: a service that buys for its own users,
 * named by its profile. `payer`: who pays a request. `element`: a component in a page. `link`: who has
 * the link to a page of ours. `window`: who has the token of a window of ours. `session`: a component once it has a session. `person`:
 * somebody who has signed in. Pages of other origins may call `optional` and `none`.
 */
export type OperationAuth =
  | 'secret'
  | 'optional'
  | 'none'
  | 'signed'
  | 'platform'
  | 'payer'
  | 'element'
  | 'link'
  | 'window'
  | 'session'
  | 'person'

type HttpMethod = 'GET' | 'POST' | 'PUT' | 'DELETE'

/** The answer of a handler. `reveal` is merged into the body this one time and stored nowhere: a new secret. */
export type Reply<Status extends number = number, Body = object> = {
  readonly status: Status
  readonly body: Body
  readonly headers?: Readonly<Record<string, string>>
  readonly reveal?: Partial<Body>
  /**
   * Runs after the commit, and returns what is sent instead: for callers who wait for what their call has started. Its result is stored
   * nowhere. The reply itself is stored, and is sent when this fails, since the effect stands.
   */
  settle?(): Promise<Reply | Problem>
  /** For a caller who takes server-sent events: runs after the commit, and returns what is sent instead. */
  stream?(): StreamReply
}

/** A reply whose status keeps its literal type, so that it is checked against the declared responses. */
export function reply<const Status extends number, Body>(
  status: Status,
  body: Body,
  more: Omit<Reply<Status, Body>, 'status' | 'body'> = {},
): Reply<Status, Body> {
  return { status, body, ...more }
}

/** The body of a request that is a file: read once, as it arrives; a slow reader slows the sender down. */
export type Content = {
  readonly chunks: AsyncIterable<Uint8Array>
  /** The SHA-256 of the whole file; null until it has been read to its end. */
  digest(): string | null
  /** Whether reading has begun; after that the call cannot be run again. */
  isBegun(): boolean
}

/** Instead of a JSON body: a file of one of the operation's `downloads`, written while it is made. */
export type DownloadReply = {
  readonly download: AsyncIterable<string | Uint8Array>
  readonly type: string
  /** The name under which a browser saves it: letters, digits, dots, dashes, underscores. */
  readonly filename: string
  readonly headers?: Readonly<Record<string, string>>
}

/** A file that is no text, and has no charset. */
export function isOfBytes(type: string): boolean {
  return type === 'application/octet-stream' || type.startsWith('image/')
}

/** Instead of a JSON body: server-sent events, until the iterable ends or the caller leaves. */
export type StreamReply = {
  readonly stream: AsyncIterable<ServerSentEvent>
  readonly headers?: Readonly<Record<string, string>>
}

export type ServerSentEvent = {
  id?: string
  event?: string
  data?: string
  comment?: string
  retryMs?: number
}

/** A request with a signature instead of a key, before its body is trusted. */
export type SignedRequest = {
  readonly path: Readonly<Record<string, unknown>>
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly rawBody: Uint8Array
  /** Wall-clock time: other parties make signatures by their own clocks. */
  readonly wallNow: Date
  readonly reads: Reads
  sealerOf(tenant: Tenant): Sealer
}

/** A request that was answered 422, once its tenant was known. */
export type InvalidRequest = Pick<SignedRequest, 'path' | 'headers'> &
  Pick<CallContext, 'tenant' | 'actor' | 'now' | 'reads' | 'commitNow'>

type Responses = Readonly<Record<number, TSchema>>

type HeaderName =
  | 'Location'
  | 'Set-Cookie'
  | 'Cache-Control'
  | 'Retry-After'
  | 'Service-Attribution-Id'
  | 'X-Content-Type'

/** A header of a reply, as the document shows it. */
export type ReplyHeader = HeaderName | `Optional-${HeaderName}`

type ReplyOf<R extends Responses> = { [K in keyof R & number]: Reply<K, Static<R[K]>> }[keyof R & number]

/** What a handler returns. A returned Problem, unlike a thrown one, commits what was written with it: a refusal that counts. */
type Outcome<R> = R | StreamReply | DownloadReply | Problem

/** The validated sections of a request. */
export type Args<Path, Query, Headers, Body> = {
  readonly path: Path
  readonly query: Query
  readonly headers: Headers
  readonly body: Body
  /** The exact bytes of the body, for signatures. Empty over MCP. */
  readonly rawBody: Uint8Array
  /** The file of an operation with `content`. `body` is then empty over REST. */
  readonly content: Content
}

/** Everything about an operation except its code; documents, tools and suites need no more. */
export type OperationFacts = {
  /** `v1_` + verb + the noun of the path: the operation id and the name of the tool. Operations of another protocol begin with its name. */
  readonly id: `${'v1' | 'ucp' | 'mpp' | 'elements' | 'console'}_${string}`
  readonly method: HttpMethod
  /** As in OpenAPI: `/v1/profiles/{profile_id}`. */
  readonly path: `/${string}`
  readonly auth: OperationAuth
  /** The scope that a key needs; null only where no key is taken: `auth` is `none`, `platform`, `payer`, `element`, `link`, `window`, `session` or `person`. */
  readonly scope: Scope | null
  /** The advice for a caller whose key lacks the scope. Default: to ask for such a key. */
  readonly withoutScope?: string
  readonly tag: string
  readonly summary: string
  readonly description?: string
  /** Section schemas. Each is a closed object (`additionalProperties: false`); the body may be anything. */
  readonly params?: TObject
  readonly query?: TObject
  readonly headers?: TObject
  readonly body?: TSchema
  /** The body as a tool takes it, where the body over REST may repeat what the path says. */
  readonly toolBody?: TSchema
  /** The body where a destination's signature replaces the key. */
  readonly signedBody?: TSchema
  /** The body may be left out; it is then `{}`. */
  readonly bodyOptional?: boolean
  /**
   * The body is a file of one of these media types. It arrives as a stream and may be larger than other bodies; `body` is the string in
   * which a tool carries it. Each type stands for a value of the query's `format`, which says the same where there is no header.
   */
  readonly content?: Readonly<Record<string, string>>
  /** Requests that a reader can copy. */
  readonly examples: RequestExamples
  readonly responses: Responses
  /** The media type of its answer with 200, where that is one of its own. */
  readonly mediaType?: string
  /**
   * What an answer of a status means, where the document's usual words do not fit. Tools share the description, which therefore has no
   * word of HTTP; text that only readers of REST need belongs here.
   */
  readonly answers?: Readonly<Record<number, string>>
  /** Headers with a meaning, by the status of their answer; headers that every answer of its kind has are left out. */
  readonly replyHeaders: Readonly<Record<number, readonly ReplyHeader[]>>
  /** The codes of this operation, besides those that any operation can answer. */
  readonly problems: readonly ProblemCode[]
  /** Where it can be called: `v1` is REST, `mcp` its tool, others by the name of their surface. Default: these two. */
  readonly surfaces: readonly string[]
  /** It changes nothing, whatever its method: it takes no idempotency key and is annotated read-only. Default: method is GET. */
  readonly readOnly: boolean
  readonly destructive: boolean
  /**
   * How much of the database's time its reads may use. `short`: single objects, found by their ids. `long`: lists, searches,
   * calculations, which run apart from all others, for two seconds and within the tenant's share; pages beyond the offset up to which a
   * list is counted are `bulk`. `bulk`: five seconds, in a share of their own. Default: `long` for operations with pages and for a POST
   * that changes nothing.
   */
  readonly reads: 'short' | 'long' | 'bulk'
  /**
   * The ports by which its handler asks the outside, through `ctx.port`. No other operation calls the outside; this one does so before
   * its transaction or in `settle`, never inside. All questions of a call together have `budgetMs` from the first one on; after it, the
   * call is refused as `busy`.
   */
  readonly outside?: { readonly ports: readonly Port<unknown>[]; readonly budgetMs: number }
  /** Whether a call without an idempotency key is refused. */
  readonly requiresIdempotencyKey: boolean
  /** The answer to a replayed idempotency key: the stored reply, or the object's current state with 200. */
  readonly replay: 'stored' | 'current'
  /** Answers as server-sent events when the caller accepts `text/event-stream`. */
  readonly streams: boolean
  /** Media types besides JSON that it can answer in, for callers who accept them. */
  readonly downloads: readonly string[]
  /** It answers with its first download, and in JSON only callers who ask for that, and tools. */
  readonly answersFile: boolean
  /** Which problem a violated unique constraint means, by the constraint's name. */
  readonly conflicts: Readonly<Record<string, ProblemCode>>
  /**
   * Whether an agent that is bound to one profile may call it, where its scopes allow it. `served`: for the operation, all ids that the
   * agent may not see are ids that never existed, and where no profile is named it is the agent's; lists are narrowed by `ctx.profileId`.
   * `refused`: it is about the account. `undecided`: refused, and the suite of credentials fails.
   */
  readonly forBound: 'served' | 'refused' | 'undecided'
  /** With `auth: 'signed'` and no key: checks the signature and returns the tenant and actor of the call, or throws the 401 or 403. */
  readonly identify?: (request: SignedRequest) => Promise<{ tenant: Tenant; actor: Actor }>
  /** With `auth: 'signed'`: the headers that make up the signature, as the document shows them. */
  readonly signedHeaders?: readonly JsonSchema[]
  /** Where an invalid request has to be remembered. */
  readonly onInvalid?: (request: InvalidRequest) => Promise<void>
}

/** One operation without its argument types: transports and registries hold it so. */
export type Operation = OperationFacts & {
  handle(ctx: CallContext, args: Args<unknown, unknown, unknown, unknown>): Promise<Outcome<Reply>>
  /** With `replay: 'current'`: renders the object that the first request made. */
  current?(ctx: CallContext, objectId: string): Promise<Reply>
  /**
   * A person confirms each such call by a passkey: it releases money, or says who may. Answers what they are shown before they do;
   * null: this request needs nothing. Keys are not asked: who made them has decided that.
   */
  confirms?(ctx: CallContext, args: Args<unknown, unknown, unknown, unknown>): Promise<ShownTerms | null>
}

type Defaulted =
  | 'examples'
  | 'surfaces'
  | 'readOnly'
  | 'destructive'
  | 'reads'
  | 'requiresIdempotencyKey'
  | 'replay'
  | 'streams'
  | 'replyHeaders'
  | 'downloads'
  | 'answersFile'
  | 'problems'
  | 'conflicts'
  | 'forBound'

type OperationSpec<
  P extends TObject,
  Q extends TObject,
  H extends TObject,
  B extends TSchema,
  S extends TSchema,
  R extends Responses,
> = Omit<OperationFacts, Defaulted | 'params' | 'query' | 'headers' | 'body' | 'signedBody' | 'responses'> &
  Partial<Pick<OperationFacts, Exclude<Defaulted, 'examples'>>> & {
    readonly params?: P
    readonly query?: Q
    readonly headers?: H
    readonly body?: B
    readonly signedBody?: S
    readonly examples?: RequestExamples<NoInfer<Partial<Static<Q>>>, NoInfer<Static<B> | Static<S>>>
    readonly responses: R
    handle(
      ctx: CallContext,
      args: Args<Static<P>, Static<Q>, Static<H>, Static<B> | Static<S>>,
    ): Promise<NoInfer<Outcome<ReplyOf<R>>>>
    current?(ctx: CallContext, objectId: string): Promise<NoInfer<ReplyOf<R>>>
    confirms?(
      ctx: CallContext,
      args: Args<Static<P>, Static<Q>, Static<H>, Static<B> | Static<S>>,
    ): Promise<ShownTerms | null>
  }

/**
 * One operation, written once: its REST route, validation, OpenAPI entry, MCP tool, authorization cells and fuzz inputs are read from
 * this object.
 */
export function defineOperation<
  const R extends Responses,
  P extends TObject = TObject<Record<never, never>>,
  Q extends TObject = TObject<Record<never, never>>,
  H extends TObject = TObject<Record<never, never>>,
  B extends TSchema = TSchema,
  S extends TSchema = B,
>(spec: OperationSpec<P, Q, H, B, S, R>): Operation {
  return {
    ...usual,
    surfaces: ['v1', 'mcp'],
    readOnly: spec.method === 'GET',
    reads: readsByDefault(spec),
    forBound: 'undecided',
    ...spec,
    problems: [...(spec.problems ?? []), ...(spec.confirms ? confirmingProblems : [])],
  } as Operation // the pipeline calls `handle` only with sections it validated against the schemas of this same object
}

/** How a person is asked to confirm a call. */
const confirmingProblems: readonly ProblemCode[] = ['step_up_required', 'passkey_required']

/** What an operation is unless it says otherwise, whatever it does. */
const usual = {
  examples: {},
  destructive: false,
  requiresIdempotencyKey: false,
  replay: 'stored',
  streams: false,
  replyHeaders: {},
  downloads: [],
  answersFile: false,
  problems: [],
  conflicts: {},
} as const

type Described =
  | 'id'
  | 'path'
  | 'tag'
  | 'summary'
  | 'description'
  | 'params'
  | 'query'
  | 'responses'
  | 'mediaType'

/** A public document of the service: described like an operation, and served by a surface of its own. No tool reads it. */
export function describeDocument(
  document: Pick<OperationFacts, Described> & Partial<Pick<OperationFacts, 'problems'>>,
): OperationFacts {
  return {
    ...usual,
    method: 'GET',
    auth: 'none',
    scope: null,
    surfaces: ['v1'],
    readOnly: true,
    reads: 'short',
    forBound: 'refused',
    ...document,
  }
}

/**
 * The default for reads that can take long, so that no author has to remember it: lists are recognized by their pages, calculations by a
 * body that changes nothing.
 */
function readsByDefault({ method, readOnly, query }: ReadsFacts): OperationFacts['reads'] {
  const hasPages = query !== undefined && 'offset' in query.properties
  return hasPages || (method !== 'GET' && readOnly === true) ? 'long' : 'short'
}

type ReadsFacts = Pick<OperationFacts, 'method'> & { readonly readOnly?: boolean; readonly query?: TObject }

export function standsOn({ surfaces }: Pick<OperationFacts, 'surfaces'>, surface: string): boolean {
  return surfaces.includes(surface)
}

/** POSTs, PUTs and DELETEs that change something with somebody's authority. */
export function takesIdempotencyKey(operation: OperationFacts): boolean {
  const isKeyed = ['secret', 'signed', 'platform', 'payer'].includes(operation.auth)
  return operation.method !== 'GET' && !operation.readOnly && isKeyed
}
