import { expect, test } from 'vitest'
import { channels as known } from '../intents/cart.ts'
import { canEverBuy, servedBy } from './channels.ts'
import type { OuterChannel, PaymentRail } from './port.ts'

const rail = {} as PaymentRail // nothing here is called
const simulated = {} as OuterChannel

test.each([
  ['everything of test mode', { test: rail, live: null }, simulated, ['test native', 'test simulated']],
  ['no shops', { test: rail, live: null }, null, ['test native']],
  ['no rail', { test: null, live: null }, simulated, []],
  ['live mode alone', { test: null, live: rail }, simulated, ['live native']],
  ['both modes', { test: rail, live: rail }, simulated, ['test native', 'test simulated', 'live native']],
] as const)('a process with %s serves what it has the means for', (_, rails, shops, served) => {
  expect(servedBy({ rails, simulated: shops }).map(({ mode, channel }) => `${mode} ${channel}`)).toEqual(
    served,
  )
})

test('what the product can buy follows from the mode alone, and whatever it serves it can buy', () => {
  expect(known.filter((channel) => canEverBuy('test', { channel }))).toEqual(['native', 'simulated'])
  expect(known.filter((channel) => canEverBuy('live', { channel }))).toEqual(['native'])
  for (const { mode, channel } of servedBy({ rails: { test: rail, live: rail }, simulated }))
    expect(canEverBuy(mode, { channel })).toBe(true)
})
