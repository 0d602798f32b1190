import { signMessage } from '../../protocols/ucp/sign-message.ts'
import { isSigned } from '../../protocols/ucp/verify-message.ts'
import type { Exchange } from '../http/exchange.ts'
import type { Ucp } from './ucp-parts.ts'

type WireAnswer = { status: number; headers: Readonly<Record<string, string>>; body: string }

const json = 'application/json; charset=utf-8'

/** Writes an answer, and signs it where the request showed a signature: its sender reads them. */
export async function writeAnswer(
  { http: { edge }, signer, orders }: Pick<Ucp, 'http' | 'signer' | 'orders'>,
  exchange: Exchange,
  said: WireAnswer,
): Promise<void> {
  const { headers } = exchange.request
  const asksForIt = isSigned({ headers: { signature: String(headers.signature ?? '') || undefined } })
  if (!asksForIt) return edge.write(exchange, said)
  const whole = { 'content-type': json, ...said.headers }
  const message = {
    kind: 'response',
    status: said.status,
    headers: whole,
    body: Buffer.from(said.body),
  } as const
  const signature = signMessage(message, await signer(), { now: orders.wallNow() })
  edge.write(exchange, { ...said, headers: { ...whole, ...signature } })
}
