import { expect, test } from 'vitest'
import { simulatedChannel } from '../../../channels/simulated/simulated.ts'
import type { BuyingChannel, ChannelTerms } from '../channels/port.ts'
import { channels as known } from '../intents/create/cart-route.ts'
import type { PaymentRail } from '../rails/port.ts'
import { railsByMode } from '../rails/rails.ts'
import { createChannels, type ExecutionDeps } from './channels.ts'

const rail = { rail: {} as PaymentRail, circuit: null, name: 'sandbox' } // nothing here is called
const shops = {} as BuyingChannel
const inBoth: ChannelTerms = {
  name: 'ucp',
  modes: ['test', 'live'],
  payment: 'credential',
  hasStrangers: true,
  longestCallMs: 20_000,
}

function registered(simulated: BuyingChannel | null): ExecutionDeps['channels'] {
  return [{ ...simulatedChannel, channel: simulated }]
}

test.each([
  ['everything of test mode', { test: [rail] }, registered(shops), ['test native', 'test simulated']],
  ['no shops', { test: [rail] }, registered(null), ['test native']],
  ['no rail', {}, registered(shops), []],
  ['live mode alone', { live: [rail] }, registered(shops), ['live native']],
  [
    'both modes',
    { test: [rail], live: [rail] },
    registered(shops),
    ['test native', 'test simulated', 'live native'],
  ],
  [
    'one more channel',
    { test: [rail], live: [rail] },
    [...registered(null), { ...inBoth, channel: shops }],
    ['test native', 'test ucp', 'live native', 'live ucp'],
  ],
] as const)('a process with %s serves what it has the means for', (_, rails, channels, served) => {
  const made = createChannels({ rails: railsByMode(rails), channels })
  expect(made.served.map(({ mode, channel }) => `${mode} ${channel}`)).toEqual(served)
  for (const { mode, channel } of made.served) {
    expect(made.meansFor({ accountId: 'acct_1', mode }, 0).ways[channel]).toBeDefined()
    expect(made.canEverBuy(mode, { channel, merchant_account_id: null })).toBe(true)
  }
})

test('what the product can buy depends on the registered channels and the mode, and not on the means of a process', () => {
  const nothing = createChannels({ rails: railsByMode({}), channels: registered(null) })
  expect(
    known.filter((channel) => nothing.canEverBuy('test', { channel, merchant_account_id: null })),
  ).toEqual(['native', 'simulated'])
  expect(
    known.filter((channel) => nothing.canEverBuy('live', { channel, merchant_account_id: null })),
  ).toEqual(['native'])
  expect(nothing.meansFor({ accountId: 'acct_1', mode: 'test' }, 0).ways).toEqual({})
})

test('an account without a rail has the means for nothing, even if another account has a rail', () => {
  const of: ExecutionDeps['rails']['of'] = ({ accountId }) => (accountId === 'acct_1' ? rail : null)
  const made = createChannels({
    rails: { ...railsByMode({}), modes: ['test'], of },
    channels: registered(shops),
  })
  const waysOf = (accountId: 'acct_1' | 'acct_2') =>
    Object.keys(made.meansFor({ accountId, mode: 'test' }, 0).ways)
  expect([waysOf('acct_1'), waysOf('acct_2')]).toEqual([['native', 'simulated'], []])
})
