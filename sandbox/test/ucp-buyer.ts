import { randomUUID } from 'node:crypto'
import type { Strangers } from './open-strangers.ts'
import { get, type Json, post, readLog } from './run-sandbox.ts'
import { openUcpPlatform, type UcpReply, ucpAddress, ucpBuyer } from './ucp-platform.ts'

type Asked = Parameters<Awaited<ReturnType<typeof openUcpPlatform>>['ask']>[3]

export type UcpBuyer = Awaited<ReturnType<typeof openUcpBuyer>>

/** Buys at the shop `ucp` step by step, with tokens of the processor. */
export async function openUcpBuyer(strangers: Strangers, names?: readonly string[]) {
  const platform = await openUcpPlatform(strangers.facts, names)
  const { ask } = platform

  const linesOf = (sku: string, quantity = 1) => [{ item: { id: sku }, quantity }]
  return {
    ...platform,
    create(sku: string, asked?: Asked, more: object = {}): Promise<UcpReply> {
      const destinations = [{ type: 'shipping_address', ...ucpAddress }]
      const fulfillment = { methods: [{ type: 'shipping', destinations }] }
      const body = { line_items: linesOf(sku), buyer: ucpBuyer, fulfillment, ...more }
      return ask('POST', '/checkout-sessions', body, asked)
    },
    /** The second step: how it is delivered, with everything else once more. */
    choose(
      { body: { id } }: UcpReply,
      option = 'standard',
      { sku = 'kettle', ...asked }: Asked & { sku?: string } = {},
      more: object = {},
    ): Promise<UcpReply> {
      const fulfillment = { methods: [{ id: 'shipping_1', groups: [{ selected_option_id: option }] }] }
      const body = { line_items: linesOf(sku), buyer: ucpBuyer, fulfillment, ...more }
      return ask('PUT', `/checkout-sessions/${id}`, body, asked)
    },
    complete({ body: { id } }: UcpReply, token: string, asked: Asked = {}): Promise<UcpReply> {
      const credential = { type: 'token', token }
      const instrument = { id: 'pi_1', handler_id: 'processor_token', type: 'card', credential }
      const body =
        asked?.release === '2026-01-11'
          ? { payment_data: instrument, risk_signals: {} }
          : { payment: { instruments: [{ ...instrument, selected: true }] } }
      return ask('POST', `/checkout-sessions/${id}/complete`, body, asked)
    },
    cancel: ({ body: { id } }: UcpReply, asked?: Asked) =>
      ask('POST', `/checkout-sessions/${id}/cancel`, undefined, asked),
    read: ({ body: { id } }: UcpReply, asked?: Asked) =>
      ask('GET', `/checkout-sessions/${id}`, undefined, asked),
    totals: ({ body }: UcpReply) => totalsIn(body),
    async issueToken(limit: number, merchant = 'ucp.shop.test'): Promise<string> {
      const body = {
        card: 'visa_auto_approved',
        currency: 'USD',
        reference: 'cart',
        expires_at: new Date(Date.now() + 3_600_000).toISOString(),
        limit,
        merchant,
      }
      const url = `${strangers.processorUrl}/v1/credentials`
      return String((await post(url, body, { 'idempotency-key': randomUUID() })).body.id)
    },
    async tokenState(token: string): Promise<{ status: unknown; captured: unknown }> {
      const { body } = await get(`${strangers.processorUrl}/v1/credentials/${token}`)
      return { status: body.status, captured: body.captured_amount }
    },
    async revoke(token: string): Promise<Json> {
      const url = `${strangers.processorUrl}/v1/credentials/${token}/revoke`
      return (await post(url, {}, { 'idempotency-key': randomUUID() })).body
    },
    /** What was called, how it ended, and whether it was signed. */
    async calls(): Promise<string[]> {
      const entries = await readLog(`${strangers.url}/ucp`)
      return entries.filter(({ kind }) => kind === 'call').map(({ result, signed }) => `${result} ${signed}`)
    },
  }
}

function totalsIn(body: Json): Json {
  const totals = Array.isArray(body.totals) ? body.totals : []
  return Object.fromEntries(totals.map(({ type, amount }) => [type, amount]))
}
