/** What a problem code means. The OpenAPI document and the reference are generated from it. */
export type ProblemFacts = {
  readonly status: number
  /** Whether the same request may succeed later without a change. */
  readonly retryable: boolean
  /** What the caller reads where nothing more exact is said. */
  readonly message: string
  /** Nothing is refused with it yet. The interface names it. */
  readonly isReserved?: true
}

export type ProblemDefinitions = Readonly<Record<string, ProblemFacts>>

export function defineProblems<const Definitions extends ProblemDefinitions>(
  definitions: Definitions,
): Definitions {
  return definitions
}

/** The codes that calls and surfaces themselves refuse with, and those that mean the same wherever they are used. */
export const commonProblems = defineProblems({
  bad_request: {
    status: 400,
    retryable: false,
    message: 'The request could not be understood: it is not well-formed.',
  },
  unauthorized: {
    status: 401,
    retryable: false,
    message: 'Send a valid API key as `Authorization: Bearer <key>`.',
  },
  signature_invalid: {
    status: 401,
    retryable: false,
    message:
      'The signature, its timestamp or the echoed headers do not match the delivery. Sign the exact bytes of the body with the secret of the destination and a fresh timestamp.',
  },
  insufficient_scope: {
    status: 403,
    retryable: false,
    message:
      'This key lacks the scope that the operation needs. Ask a person to do this, or for a key that has it.',
  },
  step_up_required: {
    status: 403,
    retryable: false,
    message:
      'A person confirms this each time. Show them `step_up.terms`, let their browser sign `step_up.options` with a passkey, and send the same request again with the answer in the header `Prokura-Step-Up`.',
  },
  passkey_required: {
    status: 403,
    retryable: false,
    message: 'This takes a passkey, and you have none. Add one in the settings of the console.',
  },
  publishable_key_not_allowed: {
    status: 403,
    retryable: false,
    message: 'This operation needs a secret key. Send one from your server; never put it into a page.',
  },
  origin_not_allowed: {
    status: 403,
    retryable: false,
    message:
      'Requests for this host, or from pages of this origin, are not taken. A publishable key works in pages of the origins that it was made for, and MCP in pages of this host.',
  },
  invalid_publishable_key: {
    status: 401,
    retryable: false,
    message: 'There is no such live publishable key. Send one that begins with `pr_pk_`, whole.',
  },
  session_expired: {
    status: 410,
    retryable: false,
    message: 'The session of this component is over. Mount the component again.',
  },
  link_over: {
    status: 410,
    retryable: false,
    message:
      'The link is over: its time is up, the purchase was answered, or the key that made the link was revoked. Ask for a new link.',
  },
  capability_missing: {
    status: 403,
    retryable: false,
    message:
      'This publishable key was not made for this. Allow it with `prokura keys update KEY_ID --capability …`, which names all that the key is for.',
  },
  response_not_authorized: {
    status: 403,
    retryable: false,
    message:
      'This destination may not answer this event. The destination that received it as its responder may, or a secret key of the merchant.',
  },
  not_found: {
    status: 404,
    retryable: false,
    message:
      'There is no such object in this account and mode. Check the id, and that it is of the same mode as the key.',
  },
  method_not_allowed: {
    status: 405,
    retryable: false,
    message: 'This path does not take this method. The `Allow` header lists those that it takes.',
  },
  not_acceptable: {
    status: 406,
    retryable: false,
    message: 'The Accept header takes none of the types that this operation answers in.',
  },
  conflict: {
    status: 409,
    retryable: true,
    message:
      'Another request changed the object at the same moment, and this one did nothing. Read the object, then try again.',
  },
  idempotency_key_conflict: {
    status: 409,
    retryable: false,
    message:
      'This idempotency key was used with another request. Send that request again to get its answer, or use a new key for a new one.',
  },
  idempotency_key_in_use: {
    status: 409,
    retryable: true,
    message:
      'A request with this idempotency key is still running. Wait a moment, then send it again with the same key.',
    // For operations that call outside before their effect.
    isReserved: true,
  },
  object_limit_reached: {
    status: 409,
    retryable: false,
    message: 'The account holds as many of these objects as it may. Archive or delete some first.',
  },
  payload_too_large: {
    status: 413,
    retryable: false,
    message:
      'The body is larger than this request may send: 256 KiB with an API key, 64 KiB without one unless a setting changes it.',
  },
  unsupported_media_type: { status: 415, retryable: false, message: 'Send the body as `application/json`.' },
  rate_limited: {
    status: 429,
    retryable: true,
    message:
      'Too many at once, or in a time: `scope` names the limit and `limit` says how many. Nothing was done. Try again after `retry_after_seconds`.',
  },
  internal_error: {
    status: 500,
    retryable: true,
    message: 'Something failed on our side. Nothing was half-done; try again with the same idempotency key.',
  },
  busy: {
    status: 503,
    retryable: true,
    message:
      'There was no time or room for this request, and nothing was done. Wait a few seconds (`Retry-After`), then try again.',
  },
  unavailable: {
    status: 503,
    retryable: true,
    message: 'The service cannot take this request right now. Wait a few seconds, then try again.',
  },
})

/** Every problem code that there is. Each slice adds its own here, by declaration merging beside its `problems`. */
export interface Problems extends Record<keyof typeof commonProblems, ProblemFacts> {}

/** Every refusal that is not a validation error carries one of these. */
export type ProblemCode = keyof Problems & string

/** What the codes of all slices mean: made by the composition, and handed to those who say refusals or keep them. */
export type ProblemCatalog = ReadonlyMap<string, ProblemFacts>

/** By status, then by name: an order that does not depend on which slices there are. */
export function problemCatalog(definitions: readonly ProblemDefinitions[]): ProblemCatalog {
  const all = new Map<string, ProblemFacts>()
  for (const [code, facts] of definitions.flatMap((some) => Object.entries(some))) {
    if (all.has(code)) throw new Error(`two slices have the problem code ${code}`)
    all.set(code, facts)
  }
  return new Map([...all].sort(([a, x], [b, y]) => x.status - y.status || (a < b ? -1 : 1)))
}

export function factsOf(problems: ProblemCatalog, code: ProblemCode): ProblemFacts {
  const facts = problems.get(code)
  if (!facts) throw new Error(`no slice has the problem code ${code}`)
  return facts
}

/** Whether it is a code of the catalog: what is read back may be from another version. */
export function isProblemCode(problems: ProblemCatalog, code: unknown): code is ProblemCode {
  return typeof code === 'string' && problems.has(code)
}
