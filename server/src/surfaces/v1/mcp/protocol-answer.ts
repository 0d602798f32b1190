import { ProtocolErrorCode } from '@modelcontextprotocol/server'

/** An answer to one message, ready to be sent: a stream when something is said before the answer. */
export type ProtocolAnswer = { status: number; type: string | null; body: string | ReadableStream }

export const notAMessage = 'Send a JSON-RPC message: an object with "jsonrpc", "method" and "id".'

/** Refuses what is no message, or a batch where there are none. */
export function refusedMessage(message: string): ProtocolAnswer {
  const error = { code: ProtocolErrorCode.InvalidRequest, message }
  return {
    status: 400,
    type: 'application/json',
    body: JSON.stringify({ jsonrpc: '2.0', id: null, error }),
  }
}
