import { describe, expect, test } from 'vitest'
import { decideRefunds, type RailNews } from './decide-refunds.ts'

const refund = (id: string, total: bigint): RailNews => ({
  id,
  attempt: 1,
  is_refund: true,
  refunded_amount: total,
})
const capture = (id: string): RailNews => ({ ...refund(id, 0n), is_refund: false })
const amounts = (of: ReturnType<typeof decideRefunds>) => of.refunds.map(({ amount }) => amount)

describe('refunds of a charge', () => {
  test('are named one by one, in whatever order and however often they are told', () => {
    const told = [refund('3', 900n), refund('1', 200n), refund('2', 500n), refund('1', 200n)]
    const decided = decideRefunds(0n, { captured: 1000n, refunded: 900n }, told)
    expect(amounts(decided)).toEqual([200n, 300n, 400n])
    expect(decided).toMatchObject({ refunded: 900n, refused: [], isAbsurd: false })
    expect(decideRefunds(900n, { captured: 1000n, refunded: 900n }, told)).toMatchObject({
      refunds: [],
      refunded: 900n,
      refused: [],
    })
  })

  test('that no movement names are one refund, and the movement that comes later changes nothing', () => {
    const early = decideRefunds(0n, { captured: 1000n, refunded: 700n }, [refund('1', 200n), capture('0')])
    expect(amounts(early)).toEqual([200n, 500n])
    const late = decideRefunds(early.refunded, { captured: 1000n, refunded: 700n }, [refund('2', 700n)])
    expect(late).toMatchObject({ refunds: [], refunded: 700n, refused: [] })
  })

  test('a movement that says more than the rail knows is refused, and the others count', () => {
    const told = [refund('1', 200n), refund('2', 999_999n)]
    const decided = decideRefunds(0n, { captured: 1000n, refunded: 200n }, told)
    expect(amounts(decided)).toEqual([200n])
    expect(decided).toMatchObject({ refunded: 200n, refused: ['2'], isAbsurd: false })
  })

  test('more than was captured is never given back, whoever says so', () => {
    const absurd = decideRefunds(100n, { captured: 1000n, refunded: 1001n }, [])
    expect(absurd).toEqual({ refunds: [], refunded: 100n, refused: [], isAbsurd: true })
    const alsoTold = decideRefunds(100n, { captured: 1000n, refunded: 1001n }, [
      refund('1', 400n),
      refund('2', 1001n),
    ])
    expect(amounts(alsoTold)).toEqual([300n])
    expect(alsoTold).toMatchObject({ refunded: 400n, refused: ['2'], isAbsurd: true })
  })

  test('of a rail that does not say the sum are those of its movements, within what was captured', () => {
    const decided = decideRefunds(0n, { captured: 500n, refunded: null }, [
      refund('1', 500n),
      refund('2', 501n),
    ])
    expect(amounts(decided)).toEqual([500n])
    expect(decided.refused).toEqual(['2'])
  })

  test('a sum that a rail takes back takes nothing off', () => {
    expect(decideRefunds(300n, { captured: 1000n, refunded: 100n }, [])).toMatchObject({
      refunds: [],
      refunded: 300n,
    })
  })
})
