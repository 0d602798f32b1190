/** How a refusal of the protocol is said: the HTTP status, and the code of JSON-RPC over MCP. */
type ErrorFacts = { readonly status: number; readonly rpc: number }

export const protocolErrors = {
  invalid_profile_url: { status: 400, rpc: -32001 },
  profile_unreachable: { status: 424, rpc: -32001 },
  profile_malformed: { status: 422, rpc: -32001 },
  version_unsupported: { status: 422, rpc: -32001 },
  signature_missing: { status: 401, rpc: -32000 },
  signature_invalid: { status: 401, rpc: -32000 },
  key_not_found: { status: 401, rpc: -32000 },
  digest_mismatch: { status: 400, rpc: -32600 },
  algorithm_unsupported: { status: 400, rpc: -32600 },
} as const satisfies Readonly<Record<string, ErrorFacts>>

export type ProtocolErrorCode = keyof typeof protocolErrors

/** A message of a business about its answer. */
export type UcpMessage =
  | {
      readonly type: 'info' | 'warning'
      readonly code: string
      readonly content: string
      readonly path?: string
    }
  | {
      readonly type: 'error'
      readonly code: string
      readonly content: string
      readonly severity: 'recoverable' | 'requires_buyer_input' | 'requires_buyer_review' | 'unrecoverable'
      readonly path?: string
    }
