import { amount, BadRequest, currency, integer, optionalText } from '../../fields.ts'
import { json, type Route } from '../../json-server.ts'
import type { Network } from './charge-card.ts'
import type { IssuingFact } from './memory.ts'

/** What an account sets in its Dashboard: who decides authorizations, what becomes of those without an answer, and the money of its cards. */
export function issuingControls({ memory, commit }: Network): Route[] {
  const set = (fact: IssuingFact) => commit({ kind: 'issuing', fact })
  const control = { method: 'POST', isControl: true } as const
  return [
    {
      ...control,
      path: '/control/issuing',
      handle: (call) => {
        const { settings } = memory.issuing
        const body = call.body()
        const fallback = optionalText(body, 'fallback') ?? settings.fallback
        if (fallback !== 'approve' && fallback !== 'decline')
          throw new BadRequest('fallback must be approve or decline')
        const value = {
          endpoint: body.endpoint === null ? null : (optionalText(body, 'endpoint') ?? settings.endpoint),
          secret: optionalText(body, 'secret') ?? settings.secret,
          fallback,
          answer_within_ms:
            body.answer_within_ms === undefined
              ? settings.answer_within_ms
              : integer(body, 'answer_within_ms', { min: 1, max: 10_000 }),
        } as const
        set({ kind: 'settings', value })
        return json(200, { ...value, secret: undefined })
      },
    },
    {
      ...control,
      path: '/control/issuing/funds',
      handle: (call) => {
        const body = call.body()
        const paidIn = { currency: currency(body).toLowerCase(), amount: amount(body, 'amount') }
        set({ kind: 'funds', ...paidIn })
        return json(200, paidIn)
      },
    },
  ]
}
