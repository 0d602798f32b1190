import { expect, test } from 'vitest'
import type { Profile } from '../../domain/buyers/profiles/profile.ts'
import type { ChatPart } from '../../domain/chats/parts.ts'
import type { ProductApi } from '../purchases/product-api.ts'
import { withoutCommands } from '../terminal.ts'
import { partLines } from './say-parts.ts'

const api = { command: (words: string) => `\`prokura ${words}\`` } as ProductApi
const address = {
  id: 'addr_1',
  address_type: 'both',
  is_default: true,
  line1: '1 Way',
  city: 'Portland',
  country: 'US',
}
const profile = { first_name: 'Ada', last_name: 'Lovelace', addresses: [address] } as unknown as Profile

/** As a terminal shows it, without colors. */
const shown = (part: ChatPart) =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: this is how a terminal is told a color
  partLines(part, { api, profile }).map((line) => withoutCommands(line).replace(/\u001b\[\d+m/g, ''))

const mug = {
  id: 'p1',
  title: 'Steel mug',
  merchant: 'Maple',
  url: null,
  amount: 3560,
  currency: 'USD',
  options: [{ name: 'Color', values: ['Black', 'White'] }],
  is_available: true,
}

test('products have the numbers by which they are chosen, with price, shop and options', () => {
  const other = {
    ...mug,
    id: 'p2',
    title: 'Tin mug',
    amount: null,
    currency: null,
    options: [],
    is_available: false,
  }
  expect(shown({ type: 'product_list', products: [mug, other] })).toEqual([
    '  1. Steel mug  $35.60',
    '     Maple · Color: Black, White',
    '  2. Tin mug  no price',
    '     Maple · not available',
  ])
})

test('a title that would move the cursor or begin a line of its own is text', () => {
  const title = 'Mug\u001b[2J\n  at most   $0.01'
  const [line = '', ...rest] = shown({ type: 'product_list', products: [{ ...mug, title }] })
  expect(line).not.toContain('\u001b')
  expect([line.includes('\n'), rest]).toEqual([false, ['     Maple · Color: Black, White']])
})

const purchase = {
  type: 'purchase_intent',
  purchase_intent_id: 'pi_1',
  status: 'awaiting_approval',
  merchants: ['Maple'],
  items: [{ title: 'Steel mug', quantity: 2 }],
  currency: 'USD',
  expected_amount: 7120,
  max_allowed_amount: 8000,
  actual_amount: 0,
  delivery: { method: 'ship', speed: 'cheapest', address_id: null },
  returns: 'Within 30 days.',
  needs_person: true,
  failure_code: null,
} as const

test('a purchase says what, from whom, for how much at most, where to, and what can be returned', () => {
  const lines = shown({ ...purchase, merchants: [...purchase.merchants], items: [...purchase.items] })
  expect(lines.map((line) => line.trim().replace(/ {2,}/g, ' '))).toEqual([
    'buy 2 × Steel mug',
    'from Maple',
    'items $71.20',
    'at most $80.00, delivery and tax included',
    'delivery shipped to 1 Way, Portland, US (cheapest)',
    'returns Within 30 days.',
    'purchase awaiting approval pi_1',
  ])
})

test('what a person has to do is an address as text and as a QR code, or the command that says it', () => {
  const asked = {
    type: 'action_request',
    element: 'AddOrSelectPaymentMethod',
    purchase_intent_id: 'pi_1',
  } as const
  const url = 'https://elements.example.com/elements/v1/approve#pr_al_live_0123456789'
  const lines = shown({ ...asked, url })
  expect(lines).toContain(url)
  expect(lines.filter((line) => /[█▀▄]/.test(line)).length).toBeGreaterThan(10)
  expect(shown({ ...asked, url: null })).toEqual([
    'It waits for a person: `prokura purchases show pi_1` says what for.',
  ])
})

test('what the agent reads, and what comes in later versions, is not shown', () => {
  expect(shown({ type: 'tool_result', id: 'c1', name: 'v1_get_quote', is_error: false, result: {} })).toEqual(
    [],
  )
  expect(shown({ type: 'a_later_part' } as unknown as ChatPart)).toEqual([])
})
