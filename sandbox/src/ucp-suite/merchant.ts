import { randomUUID } from 'node:crypto'
import { BadRequest, type Fields, isObject } from '../fields.ts'
import { exchange } from './exchange.ts'

/** One call of the service's own API, as the merchant. Throws what is refused. */
export type AskAsMerchant = <Answer = Fields>(method: string, path: string, sent?: Sent) => Promise<Answer>

/** `key`: what makes it the same call when it is sent again; left out, each call is a new one. */
type Sent = { readonly body?: object; readonly key?: string }

export function openMerchant({ url, key }: { url: string; key: string }): AskAsMerchant {
  return async <Answer>(method: string, path: string, sent: Sent = {}): Promise<Answer> => {
    const { body, key: idempotencyKey = randomUUID() } = sent
    const { status, text } = await exchange(`${url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'idempotency-key': idempotencyKey },
      ...(body === undefined ? {} : { body }),
    })
    if (status >= 400) throw new BadRequest(`${path}: ${whyOf(text)}`, 'refused', status)
    return JSON.parse(text)
  }
}

/** The merchant takes every order that waits for it. */
export async function confirmOrders(ask: AskAsMerchant): Promise<void> {
  const path = '/v1/merchant/orders'
  const { data } = await ask<{ data: { id: string }[] }>(
    'GET',
    `${path}?status=awaiting_confirmation&limit=200`,
  )
  for (const { id } of data)
    await ask('POST', `${path}/${id}/responses`, {
      body: { outcome: 'confirmed', confirmation_reference: id },
    }).catch((error: unknown) => {
      // Another completion has confirmed it meanwhile.
      if (!(error instanceof BadRequest && error.status === 409)) throw error
    })
}

function whyOf(text: string): string {
  const said: unknown = text.startsWith('{') ? JSON.parse(text) : {}
  const detail = isObject(said) ? said.detail : undefined
  if (Array.isArray(detail)) return detail.map(({ loc, msg }) => `${loc.join('.')}: ${msg}`).join('; ')
  return isObject(detail) && typeof detail.message === 'string' ? detail.message : text
}
