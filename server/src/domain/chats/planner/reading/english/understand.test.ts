import { describe, expect, test } from 'vitest'
import { canonical } from '../../../../../../test/suites/chats/judge.ts'
import type { Spoken } from '../../understood.ts'
import { understand } from '../understand.ts'

const first: Spoken = { language: null, shown: [], asked: null, hasSubject: false, hasPurchase: false }
const showing = (...shown: string[]): Spoken => ({ ...first, shown })
const kettles = showing(
  'Russell Hobbs Inspire Kettle White 1.7 L',
  'Breville Curve Kettle Black 1.7 L',
  'Bosch Styline Kettle Red 1.5 L',
)

/** What was said before. */
const before = {
  nothing: first,
  bought: { ...first, hasPurchase: true },
  kettles,
  whether: { ...kettles, hasSubject: true, asked: 'whether' },
  toasters: showing('Dualit Architect Toaster Cream', 'Smeg 50s Toaster Pink', 'Tefal Loft Toaster Black'),
  coats: showing(
    'Barbour Ashby Jacket Olive',
    'Rab Microlight Jacket Black',
    'Uniqlo Ultra Light Jacket Beige',
    'Helly Hansen Crew Jacket Navy',
  ),
  lamps: showing('Anglepoise Type 75 Lamp Grey', 'Habitat Ludo Lamp Yellow', 'Philips Hue Go Lamp White'),
  rugs: showing(
    'Benuta Plain Rug Blue',
    'Tufted Berber Rug Cream',
    'Lorena Canals Rug Pink',
    'Ikea Stoense Rug Grey',
  ),
} satisfies Record<string, Spoken>

/** What ordinary people write, one of each kind. */
const rows: readonly (readonly [says: string, after: keyof typeof before, means: string])[] = [
  ["no I don't want to buy the red one", 'kettles', '[{"action":"no"}]'],
  ['I am in no hurry to order the red one', 'kettles', '[{"action":"unclear"}]'],
  ['mum told me to order the grey one but I hate it', 'rugs', '[{"action":"unclear"}]'],
  ['board games for six adults', 'nothing', '[{"action":"search","query":"board games for six adults"}]'],
  [
    'can you get me prices on a bread maker, somewhere between 80 and 150 dollars',
    'nothing',
    '[{"action":"search","max":{"amount":15000,"currency":"usd"},"min":{"amount":8000,"currency":"usd"},"query":"bread maker"}]',
  ],
  [
    'Look on ebay for a second hand sewing machine',
    'nothing',
    '[{"action":"search","merchant":"ebay","query":"second hand sewing machine"}]',
  ],
  [
    'can I have a closer look at the second one',
    'kettles',
    '[{"action":"show","which":{"by":"place","place":2}}]',
  ],
  [
    'order a garden hose, 30 metres, no more than £40',
    'nothing',
    '[{"action":"buy","max":{"amount":4000,"currency":"gbp"},"query":"garden hose 30 metres"}]',
  ],
  [
    'I need a mop and also a bucket',
    'nothing',
    '[{"action":"search","query":"mop"},{"action":"search","query":"bucket"}]',
  ],
  [
    'how much longer do I have to wait for my kettle',
    'bought',
    '[{"action":"follow","which":{"by":"words","words":"kettle"}}]',
  ],
  ['I always buy my coffee at the market', 'nothing', '[{"action":"unclear"}]'],
  ['hmm no I do not think so', 'whether', '[{"action":"no"}]'],
  ['dinosaur duvet cover', 'nothing', '[{"action":"search","query":"dinosaur duvet cover"}]'],
  [
    'I take a size 12 and I need a raincoat, yellow would be fun',
    'nothing',
    '[{"action":"search","options":{"color":"yellow","size":"12"},"query":"raincoat"}]',
  ],
  [
    'candles from candlebarn.co.uk',
    'nothing',
    '[{"action":"search","merchant":"candlebarn.co.uk","query":"candles"}]',
  ],
  ['nah show me different ones', 'toasters', '[{"action":"refine","more":true}]'],
  ['how do the ratings compare', 'toasters', '[{"action":"compare","by":"rating"}]'],
  ['Sorry, I said tables but I meant chairs', 'nothing', '[{"action":"search","query":"chairs"}]'],
  [
    'Thanks for that. Can you also find me a washing up bowl',
    'bought',
    '[{"action":"search","query":"washing up bowl"}]',
  ],
  ['Get me your manager this is ridiculous', 'nothing', '[{"action":"refuse","what":"person"}]'],
  ['how much would it be if I ordered three of them?', 'coats', '[{"action":"unclear"}]'],
  ['ok brilliant cheers', 'coats', '[{"action":"thank"}]'],
  [
    'what can I get for 25 quid in the way of a bath mat',
    'nothing',
    '[{"action":"search","max":{"amount":2500,"currency":"gbp"},"query":"bath mat"}]',
  ],
  [
    'Small green plastic watering can',
    'nothing',
    '[{"action":"search","options":{"color":"green","material":"plastic","size":"small"},"query":"watering can"}]',
  ],
  ['Could I see those in blue?', 'lamps', '[{"action":"refine","options":{"color":"blue"}}]'],
  [
    'buy 2 of the white ones',
    'lamps',
    '[{"action":"buy","options":{"color":"white"},"quantity":2,"which":{"by":"options"}}]',
  ],
  ['when can i expect the shoes', 'bought', '[{"action":"follow","which":{"by":"words","words":"shoes"}}]'],
  ['can I pay with paypal', 'nothing', '[{"action":"refuse","what":"card"}]'],
  ["no that's wrong", 'whether', '[{"action":"no"}]'],
  ['what can this thing do', 'nothing', '[{"action":"help"}]'],
  [
    "My back's killing me at the desk, could do with a lumbar cushion",
    'nothing',
    '[{"action":"search","query":"lumbar cushion"}]',
  ],
  [
    'Under £15: a cheese grater',
    'nothing',
    '[{"action":"search","max":{"amount":1500,"currency":"gbp"},"query":"cheese grater"}]',
  ],
  [
    'is the pink one machine washable',
    'rugs',
    '[{"action":"show","options":{"color":"pink"},"which":{"by":"options"}}]',
  ],
  ['buy 3 tubes of wood glue', 'nothing', '[{"action":"buy","quantity":3,"query":"tubes of wood glue"}]'],
  ["still no sign of my package and it's been ten days", 'bought', '[{"action":"follow"}]'],
  ['My neighbor bought the pink rug and she regrets it', 'rugs', '[{"action":"unclear"}]'],
  ["yes, that's the right one", 'whether', '[{"action":"yes"}]'],
]

describe('everyday English is understood', () => {
  test.each(rows)('%s (after %s) is: %s', (says, after, means) => {
    const { language, wishes } = understand(says, before[after])
    expect([language, canonical(wishes)]).toEqual(['en', means])
  })
})
