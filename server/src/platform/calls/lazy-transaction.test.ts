import { expect, test } from 'vitest'
import { LazyTransaction } from './lazy-transaction.ts'
import type { Unit } from './unit.ts'

function counted() {
  const seen: string[] = []
  const unit: Unit = {
    tx: {
      rows: async () => [],
      maybe: async () => null,
      ahead: { rows: async () => [], maybe: async () => null },
      write: () => void seen.push('write'),
      isQueued: () => false,
      emit: () => void seen.push('emit'),
      wake: () => void seen.push('wake'),
      notify: () => void seen.push('notify'),
    },
    commit: async () => '',
    finish: async () => undefined,
    rollback: async () => void seen.push('rollback'),
  }
  const tx = new LazyTransaction(() => {
    seen.push('open')
    return unit
  })
  return { seen, tx }
}

test('an unused transaction is never opened, and its rollback costs nothing', async () => {
  const { seen, tx } = counted()
  expect(tx.opened).toBeNull()
  await tx.rollback()
  expect(seen).toEqual([])
})

test('a transaction is opened once, by its first use', async () => {
  const { seen, tx } = counted()
  tx.wake('carts')
  tx.wake('orders')
  await tx.rollback()
  expect(seen).toEqual(['open', 'wake', 'wake', 'rollback'])
})

test('a transaction that has ended takes nothing more, also when it was never opened', async () => {
  const { tx } = counted()
  tx.end()
  expect(() => tx.wake('carts')).toThrow('has ended')
})
