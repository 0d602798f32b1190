import { sellingProblemCodes } from './selling-problem-codes.ts'

/**
 * The closed list of problem codes: every refusal that is not a validation error carries one of these. The OpenAPI document and
 * the reference are generated from it. `retryable` says whether the same request may succeed later without a change.
 */
export const problemCodes = {
  bad_request: {
    status: 400,
    retryable: false,
    message: 'The request could not be understood: it is not well-formed.',
  },
  test_card_identifier_not_allowed_in_live_mode: {
    status: 400,
    retryable: false,
    message:
      'Test-card and test-CVC identifiers work in test mode only. Use a token from the card component.',
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
  publishable_key_not_allowed: {
    status: 403,
    retryable: false,
    message: 'This operation needs a secret key. Send one from your server; never put it into a page.',
  },
  origin_not_allowed: {
    status: 403,
    retryable: false,
    message: 'The MCP server does not take requests for this host, or from pages of this origin.',
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
  },
  object_limit_reached: {
    status: 409,
    retryable: false,
    message: 'The account holds as many of these objects as it may. Archive or delete some first.',
  },
  frozen: {
    status: 409,
    retryable: false,
    message:
      'Purchases are frozen for this account, profile or agent, so nothing is bought. Only a person may end that, with v1_unfreeze_controls: tell them, and do not try again before.',
  },
  profile_not_active: {
    status: 409,
    retryable: false,
    message:
      'The profile is not active, so nothing is bought for it. `status` of v1_get_profile says how it stands.',
  },
  profile_archived: {
    status: 409,
    retryable: false,
    message: 'The profile is archived and no longer changes. Use another profile, or create one.',
  },
  onboarding_link_used: {
    status: 409,
    retryable: false,
    message: 'The form of this onboarding link has been sent. Create another link.',
  },
  onboarding_link_expired: {
    status: 409,
    retryable: false,
    message: 'The onboarding link has expired. Create another link.',
  },
  issuing_not_available: {
    status: 409,
    retryable: false,
    message: 'Identity verification cannot be started for this profile: see `issuing.state` and `status`.',
  },
  payment_method_required: {
    status: 409,
    retryable: false,
    message:
      'The profile has no usable payment method. Ask a person to add one (v1_create_profile_payment_method), or name another in `profile_payment_method_id`.',
  },
  payment_method_in_use: {
    status: 409,
    retryable: false,
    message:
      'A purchase in progress uses this payment method. Wait until the purchase has ended, or cancel it.',
  },
  payment_verification_required: {
    status: 409,
    retryable: false,
    message:
      'The card needs a security code or a step-up, which only its holder has: `next_action.method` says which. Ask the person for it, and call v1_approve_purchase_intent with `temporary_cvc_token_id` or `payment_verification`.',
  },
  shipping_address_required: {
    status: 409,
    retryable: false,
    message:
      'The purchase is shipped, and its profile has no address. Ask a person for one, add it with v1_create_profile_address, then approve again.',
  },
  enrollment_not_pending: {
    status: 409,
    retryable: false,
    message: 'The card does not wait for a verification: see `agentic_credentials_status`.',
  },
  verification_failed: {
    status: 409,
    retryable: false,
    message: 'The code or assertion was refused. Ask the person for a new one; the third refusal is final.',
  },
  live_payments_not_configured: {
    status: 409,
    retryable: false,
    message:
      'No live payment rail is configured, so nothing can be charged in live mode. Tell a person; test keys buy from the sandbox.',
  },
  policy_archived: { status: 409, retryable: false, message: 'The policy is archived. Unarchive it first.' },
  policy_denied: {
    status: 409,
    retryable: false,
    message:
      'A policy denies this purchase: `policy_decision` says which rule. Tell a person, who can change the purchase or the policy. Do not try it again unchanged.',
  },
  policy_limit_exceeded: {
    status: 409,
    retryable: false,
    message:
      'A policy window has no room for this purchase: `policy_decision` says which limit. Nothing has changed. Tell a person, who can raise the limit, or try again when the window begins anew.',
  },
  not_approvable: {
    status: 409,
    retryable: false,
    message:
      'The purchase intent does not await approval. `summary` of v1_get_purchase_intent says how it stands.',
  },
  approval_stale: {
    status: 409,
    retryable: false,
    message:
      'The cap is another than the buyer saw. Show the person `max_allowed_amount` of this answer, and approve again with it if they agree.',
  },
  not_cancellable: {
    status: 409,
    retryable: false,
    message:
      'The purchase, or a cart that was named, can no longer be cancelled. `cart_ids` cancels the others, whose `can_cancel` is true.',
  },
  not_retryable: {
    status: 409,
    retryable: false,
    message:
      'Nothing that was asked for can be retried: only carts of a failed purchase whose `can_retry` is true.',
  },
  not_reconcilable: {
    status: 409,
    retryable: false,
    message:
      'The cart waits for no decision about its outcome. Only one whose failure is `outcome_unknown` does.',
  },
  ticket_wrong_intent: {
    status: 409,
    retryable: false,
    message:
      'The credential ticket was made for another purchase intent, and is destroyed. Ask the person to sign in again.',
  },
  ticket_used: {
    status: 410,
    retryable: false,
    message: 'The credential ticket was used or destroyed, or has expired. Ask the person to sign in again.',
  },
  ...sellingProblemCodes,
  key_revoked: { status: 409, retryable: false, message: 'The key is revoked.' },
  key_expired: { status: 409, retryable: false, message: 'The key has expired.' },
  scopes_exceed_agent: {
    status: 409,
    retryable: false,
    message: 'The key could do more than the other keys of its agent.',
  },
  agent_bound: {
    status: 409,
    retryable: false,
    message: 'The agent is bound to one profile, which never changes.',
  },
  agents_are_one: { status: 409, retryable: false, message: 'Both are the same agent.' },
  join_widens: {
    status: 409,
    retryable: false,
    message: 'Joined, the agents could do more than each could before.',
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
  responder_failed: {
    status: 502,
    retryable: true,
    message:
      "The merchant's backend refused the request for a quote or kept failing. Refresh the quote later, or ask another merchant.",
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
} as const satisfies Record<string, { status: number; retryable: boolean; message: string }>

export type ProblemCode = keyof typeof problemCodes
