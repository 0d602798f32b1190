export type EgressStage = 'before' | 'during' | 'after'

export type EgressCode =
  | 'blocked_address'
  | 'blocked_url'
  | 'untrusted_peer'
  | 'invalid_request'
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'too_large'
  | 'protocol'
  | 'reset'
  | 'closed'

/**
 * The outside world failed, or the call was not allowed.
 *
 * - `before`: not one byte of the request left this process. Only this stage proves that nothing happened.
 * - `during`: it may have arrived; the outcome is unknown.
 * - `after`: the callee answered with `status`, and only its body was lost or refused.
 *
 * `retryable` is true only where sending again may help and cannot have a second effect.
 */
export class EgressFault extends Error {
  override readonly name = 'EgressFault'
  readonly stage: EgressStage
  readonly code: EgressCode
  readonly retryable: boolean
  readonly status: number | undefined

  constructor(input: { stage: EgressStage; code: EgressCode; status?: number | undefined; cause?: unknown }) {
    // The URL stays out of the message: tenants put secrets into paths and queries.
    super(`outbound call failed ${input.stage} sending: ${input.code}`, { cause: input.cause })
    this.stage = input.stage
    this.code = input.code
    this.retryable = input.stage === 'before' && !hopeless.has(input.code)
    this.status = input.status
  }
}

const hopeless = new Set<EgressCode>(['blocked_address', 'blocked_url', 'untrusted_peer', 'invalid_request'])
