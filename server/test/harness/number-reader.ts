import type { VaultClient } from '../../src/platform/vault-client/vault-client.ts'
import type { CardRecord, Forwarded, ForwardedCall } from '../../src/platform/vault-client/vault-words.ts'

/** A vault that does nothing but fetch numbers with a key of its own, and keeps what it was asked. */
export function openNumberReader(bearer: string): VaultClient & { readonly asked: ForwardedCall[] } {
  const asked: ForwardedCall[] = []
  const never = () => Promise.reject(new Error('this vault fetches numbers alone'))
  return {
    asked,
    async forward(call): Promise<Forwarded> {
      asked.push(call)
      const headers = { ...call.headers, authorization: `Bearer ${bearer}` }
      const answer = await fetch(call.url, { headers }).catch(() => null)
      if (answer === null || answer.status >= 500) return { kind: 'lost' }
      const body: Record<string, unknown> = JSON.parse(await answer.text())
      const { number, cvc: _, ...rest } = body
      const record = typeof number === 'string' ? recordOf(String(rest.id), number) : null
      return { kind: 'answer', status: answer.status, body: rest, retryAfterSeconds: null, record }
    },
    grant: never,
    shred: never,
    describe: never,
    takeCode: never,
    sealingKey: never,
    sealTicket: never,
    health: never,
  }
}

function recordOf(card: string, number: string): CardRecord {
  const usual = { brand: 'visa', expMonth: 1, expYear: 2030, testCard: null }
  return { ...usual, id: `vrec_of_${card}`, last4: number.slice(-4) }
}
