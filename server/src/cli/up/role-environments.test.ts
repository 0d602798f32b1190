import { expect, test } from 'vitest'
import { readConfig } from '../../platform/config/config.ts'
import { browserEnvironment } from './start-browser.ts'
import { vaultEnvironment } from './start-vault.ts'

const live = {
  PROKURA_LIVE_RAIL: 'stripe',
  PROKURA_LIVE_CAP_DAILY: '500.00 USD',
  PROKURA_STRIPE_SECRET_KEY: 'sk_live_hunter2',
  PROKURA_STRIPE_PUBLISHABLE_KEY: 'pk_live_1',
  PROKURA_PUBLIC_URL: 'https://api.example.com',
  PROKURA_ELEMENTS_URL: 'https://elements.example.com',
  PROKURA_CARDS_URL: 'https://cards.example.com',
}

test('beside a live rail, vault and browser get settings that they can start with, and no key of the rail', () => {
  expect(readConfig(live).liveRail).toBe('stripe')
  const vault = vaultEnvironment(live, { vaultUrl: 'postgres://vault@db/prokura' }) ?? {}
  const browser = browserEnvironment(live, null)
  for (const environment of [vault, browser]) {
    expect(readConfig(environment).liveRail).toBe('none')
    expect(JSON.stringify(environment)).not.toContain('hunter2')
  }
})
