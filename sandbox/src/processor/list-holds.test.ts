import { expect, test } from 'vitest'
import { type Authorization, emptyLedger, type Ledger } from './ledger.ts'
import { listHolds, parsePage } from './list-holds.ts'

function ledgerOf(count: number): Ledger {
  const ledger = emptyLedger()
  for (let number = 0; number < count; number++) {
    const hold: Authorization = {
      id: `auth_${number}`,
      object: 'authorization',
      status: number % 2 === 0 ? 'authorized' : 'voided',
      card: 'visa_auto_approved',
      amount: 100,
      currency: 'USD',
      merchant: null,
      reference: `purchase ${number}`,
      capture_id: null,
      captured_amount: 0,
      refunded_amount: 0,
      decline_code: null,
      created_at: new Date(Date.UTC(2026, 0, 1) + number * 1000).toISOString(),
    }
    ledger.objects.set(hold.id, hold)
    ledger.openings.push({ key: `key ${number}`, objectId: hold.id })
  }
  return ledger
}

function keysOf(ledger: Ledger, query: string): { pages: number; keys: string[] } {
  const keys: string[] = []
  for (let pages = 1, page: string | null = '0'; ; pages++) {
    const answer = listHolds(ledger, parsePage(new URLSearchParams(`${query}&page=${page}`)), new Date())
    keys.push(...answer.data.map(({ key }) => key))
    if (answer.next === null) return { pages, keys }
    page = answer.next
  }
}

test('every open hold is on one page, oldest first, however long the pages are', () => {
  const ledger = ledgerOf(45_000)
  const open = [...Array(45_000).keys()].filter((number) => number % 2 === 0).map((number) => `key ${number}`)
  expect(keysOf(ledger, 'limit=500').keys).toEqual(open)
  expect(keysOf(ledgerOf(9), 'limit=2')).toEqual({ pages: 3, keys: open.slice(0, 5) })
})

test('pages without an open hold lead on to those behind them', () => {
  const ledger = ledgerOf(45_000)
  for (const { objectId } of ledger.openings.slice(0, -1)) ledger.objects.delete(objectId)
  const [last] = ledger.objects.values()
  if (last?.object === 'authorization') ledger.objects.set(last.id, { ...last, status: 'authorized' })
  expect(keysOf(ledger, 'limit=500')).toEqual({ pages: 3, keys: ['key 44999'] })
})

test('times narrow what is listed, the end excluded', () => {
  const query = 'since=2026-01-01T00:00:02Z&until=2026-01-01T00:00:06Z'
  expect(keysOf(ledgerOf(10), query).keys).toEqual(['key 2', 'key 4'])
})

test.each(['page=-1', 'page=x', 'limit=1.5', 'since=yesterday'])('%s is refused', (query) => {
  expect(() => parsePage(new URLSearchParams(query))).toThrow(/must be/)
})
