/** The codes that JSON-RPC and the revisions of the protocol give to errors. */
export const rpcCodes = {
  parseError: -32_700,
  invalidRequest: -32_600,
  methodNotFound: -32_601,
  invalidParams: -32_602,
  internalError: -32_603,
  /** JSON-RPC leaves -32000 to -32099 to servers. */
  serverError: -32_000,
  headerMismatch: -32_020,
  unsupportedRevision: -32_022,
} as const

/** Refuses one message. Its sentence is read by people and models. */
export class RpcError extends Error {
  readonly code: number
  readonly status: number
  readonly data: unknown

  /** What is wrong with the parameters of a method is part of a good answer, and 200; what is wrong with a message is not. */
  constructor(code: keyof typeof rpcCodes, message: string, { status = 400, data }: RpcErrorMore = {}) {
    super(message)
    this.code = rpcCodes[code]
    this.status = status
    this.data = data
  }
}

type RpcErrorMore = { status?: number; data?: unknown }

export function wrongParams(message: string): RpcError {
  return new RpcError('invalidParams', message, { status: 200 })
}

/** The longest text of a caller that is repeated: somebody else may have written it. */
const shownLengthMax = 100

export function shown(text: string): string {
  return JSON.stringify(text.length > shownLengthMax ? `${text.slice(0, shownLengthMax)}…` : text)
}
