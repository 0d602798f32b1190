import {
  adjust,
  advice,
  buy,
  cancel,
  compare,
  extreme,
  follow,
  giveBack,
  greet,
  help,
  it,
  money,
  no,
  noWish,
  optioned,
  place,
  refine,
  refuse,
  retry,
  type Spoken,
  search,
  show,
  thank,
  type Utterances,
  unclear,
  why,
  words,
  yes,
} from '../utterance.ts'

const shown = [
  'Nike Revolution 7 Running Shoes Black',
  'Adidas Galaxy 6 Running Shoes Blue',
  'Asics Gel-Contend 8 Running Shoes Red',
]
const list: Spoken = { shown }
const subject: Spoken = { shown, hasSubject: true }
const whether: Spoken = { shown, hasSubject: true, asked: 'whether' }
const bought: Spoken = { hasPurchase: true }

export const en: Utterances = {
  search: [
    { says: 'looking for a waterproof phone case', means: [search('waterproof phone case')] },
    { says: 'Do you have any yoga mats?', means: [search('yoga mats')] },
    { says: 'I need a birthday present for my dad, maybe a fishing rod', means: [search('fishing rod')] },
  ],
  capped: [
    { says: 'wireless earbuds under $40', means: [search('wireless earbuds', { max: money(4000, 'USD') })] },
    {
      says: 'a coffee grinder, no more than 75 dollars',
      means: [search('coffee grinder', { max: money(7500, 'USD') })],
    },
    {
      says: 'office chair between £100 and £180',
      means: [search('office chair', { min: money(10_000, 'GBP'), max: money(18_000, 'GBP') })],
    },
    {
      says: 'Find me the cheapest air fryer you can, my budget is 89.99',
      means: [search('air fryer', { sort: 'price', max: money(8999, null) })],
    },
  ],
  options: [
    {
      says: 'black leather belt size 36',
      means: [search('belt', { options: { color: 'black', material: 'leather', size: '36' } })],
    },
    {
      says: 'do you have this hoodie thing with a zip in XL, grey?',
      means: [search('hoodie with a zip', { options: { color: 'gray', size: 'XL' } })],
      or: [
        [search('hoodie thing with a zip', { options: { color: 'gray', size: 'XL' } })],
        [search('hoodie zip', { options: { color: 'gray', size: 'XL' } })],
      ],
    },
    {
      says: "I'm after a cotton shirt in medium, white if possible",
      means: [search('shirt', { options: { material: 'cotton', size: 'medium', color: 'white' } })],
      or: [[search('shirt', { options: { material: 'cotton', size: 'M', color: 'white' } })]],
    },
    {
      says: 'in red, and size 8 please',
      spoken: list,
      means: [refine({ options: { color: 'red', size: '8' } })],
    },
  ],
  refine: [
    { says: 'anything else? show me more', spoken: list, means: [refine({ more: true })] },
    { says: 'under 50 dollars please', spoken: list, means: [refine({ max: money(5000, 'USD') })] },
    { says: 'only ones without laces', spoken: list, means: [refine({ without: ['laces'] })] },
    {
      says: 'sort them by rating',
      spoken: list,
      means: [refine({ sort: 'rating' })],
      or: [[compare('rating')]],
    },
  ],
  quantity: [
    { says: 'I need six wine glasses', means: [search('wine glasses', { quantity: 6 })] },
    {
      says: '2 green bath towels',
      means: [search('bath towels', { quantity: 2, options: { color: 'green' } })],
    },
    { says: 'make it three', spoken: whether, means: [adjust({ quantity: 3 })] },
    {
      says: 'a dozen tennis balls, less than 20 bucks',
      means: [search('tennis balls', { quantity: 12, max: money(2000, 'USD') })],
    },
  ],
  reference: [
    {
      says: 'the second one, but in blue',
      spoken: list,
      means: [show(place(2), { color: 'blue' })],
      or: [[adjust({ which: place(2), options: { color: 'blue' } })]],
    },
    { says: 'tell me more about the Asics', spoken: list, means: [show(words('asics'))] },
    { says: "what's the last one like?", spoken: list, means: [show(place(-1))] },
    {
      says: 'can I see the blue ones',
      spoken: list,
      means: [show(optioned, { color: 'blue' })],
      or: [[refine({ options: { color: 'blue' } })]],
    },
  ],
  compare: [
    {
      says: 'which of these is cheaper?',
      spoken: list,
      means: [compare('price')],
      or: [[show(extreme('cheapest'))]],
    },
    {
      says: 'which one has the best reviews',
      spoken: list,
      means: [compare('rating')],
      or: [[show(extreme('best_rated'))]],
    },
    {
      says: "What'd get here the soonest?",
      spoken: list,
      means: [compare('delivery')],
      or: [[show(extreme('fastest'))]],
    },
  ],
  buy: [
    {
      says: 'buy me a red umbrella for under 25 dollars',
      means: [buy({ query: 'umbrella', options: { color: 'red' }, max: money(2500, 'USD') })],
    },
    {
      says: 'Order 3 packs of AA batteries',
      means: [buy({ query: 'packs of AA batteries', quantity: 3 })],
      or: [[buy({ query: 'AA batteries', quantity: 3 })]],
    },
    {
      says: 'please get me a toaster from homegoods.example',
      means: [buy({ query: 'toaster', merchant: 'homegoods.example' })],
      or: [[search('toaster', { merchant: 'homegoods.example' })]],
    },
    { says: "I'll take the second one", spoken: list, means: [buy({ which: place(2) })] },
    { says: 'ok buy it', spoken: subject, means: [buy({ which: it })] },
    {
      says: 'order the cheapest in size 9',
      spoken: list,
      means: [buy({ which: extreme('cheapest'), options: { size: '9' } })],
    },
  ],
  change: [
    {
      says: 'no wait, the green one instead',
      spoken: whether,
      means: [adjust({ options: { color: 'green' } })],
      or: [
        [adjust({ which: optioned, options: { color: 'green' } })],
        [show(optioned, { color: 'green' })],
        [buy({ which: optioned, options: { color: 'green' } })],
      ],
    },
    {
      says: 'actually make that a size 10',
      spoken: whether,
      means: [adjust({ options: { size: '10' } })],
    },
    { says: 'hmm, on second thoughts just one', spoken: whether, means: [adjust({ quantity: 1 })] },
    { says: 'forget the shoes, show me sandals', spoken: list, means: [search('sandals')] },
  ],
  two: [
    { says: 'find me a tent and also a sleeping bag', means: [search('tent'), search('sleeping bag')] },
    {
      says: 'look for a kettle under 30 quid and buy the cheapest one',
      means: [search('kettle', { max: money(3000, 'GBP') }), buy({ which: extreme('cheapest') })],
    },
    { says: 'thanks! and where is my order?', spoken: bought, means: [thank, follow], or: [[follow]] },
    {
      says: 'cancel the order and find me something cheaper',
      spoken: { shown, hasPurchase: true },
      means: [cancel, refine({ cheaper: true })],
    },
  ],
  answer: [
    {
      says: 'medium',
      spoken: { asked: 'size', hasSubject: true },
      means: [adjust({ options: { size: 'medium' } })],
      or: [[adjust({ options: { size: 'M' } })]],
    },
    {
      says: 'uh, navy... no, black',
      spoken: { asked: 'color', hasSubject: true },
      means: [adjust({ options: { color: 'black' } })],
    },
    {
      says: 'just two please',
      spoken: { asked: 'quantity', hasSubject: true },
      means: [adjust({ quantity: 2 })],
    },
    {
      says: "I'm usually a 42",
      spoken: { asked: 'size', hasSubject: true },
      means: [adjust({ options: { size: '42' } })],
    },
  ],
  after: [
    { says: "where's my package?", spoken: bought, means: [follow] },
    { says: 'I want to cancel that', spoken: bought, means: [cancel] },
    { says: "they don't fit, can I send them back?", spoken: bought, means: [giveBack] },
    { says: "why didn't it go through?", spoken: bought, means: [why] },
    { says: 'give it another go', spoken: bought, means: [retry] },
  ],
  refusal: [
    { says: 'change my shipping address to 12 Elm Street', means: [refuse('address')] },
    { says: 'raise my spending limit to 500', means: [refuse('limit')] },
    { says: 'can I talk to a real person', means: [refuse('person')] },
    { says: 'use my other visa card from now on', means: [refuse('card')] },
  ],
  not_buying: [
    { says: "don't buy it", spoken: whether, means: [no], or: [[cancel]] },
    { says: 'I bought it yesterday', spoken: subject, means: [unclear], or: noWish },
    { says: 'should I buy it?', spoken: subject, means: [show(it)], or: advice },
    { says: "I'm not ready to order yet, just browsing", spoken: list, means: [no], or: [[unclear], [help]] },
  ],
  yes_no: [
    { says: 'yep', spoken: whether, means: [yes] },
    { says: 'sure, go ahead', spoken: whether, means: [yes] },
    { says: 'nah', spoken: whether, means: [no] },
  ],
  small_talk: [
    { says: 'hey there!', means: [greet] },
    { says: 'what can you do for me?', means: [help] },
    { says: 'cheers, that was really helpful', spoken: subject, means: [thank] },
  ],
  slang: [
    { says: 'gimme some kicks under 60 bucks', means: [search('kicks', { max: money(6000, 'USD') })] },
    { says: 'too pricey mate', spoken: list, means: [refine({ cheaper: true })] },
    { says: 'lemme cop the first one', spoken: list, means: [buy({ which: place(1) })] },
  ],
  typos: [
    { says: 'serach for a blutooth speaker', means: [search('blutooth speaker')] },
    { says: 'shwo me the secnd one', spoken: list, means: [show(place(2))] },
    { says: 'wheres my oder', spoken: bought, means: [follow] },
  ],
  letters: [
    { says: 'any creme brulee dishes?', means: [search('creme brulee dishes')] },
    {
      says: 'whats the cheapest',
      spoken: list,
      means: [show(extreme('cheapest'))],
      or: [[compare('price')]],
    },
    {
      says: 'id like a mens rain jacket in large',
      means: [search('mens rain jacket', { options: { size: 'large' } })],
      or: [[search('mens rain jacket', { options: { size: 'L' } })]],
    },
  ],
  polite: [
    {
      says: 'Good afternoon, I was wondering whether you might be able to help me find a cast iron skillet, ideally for less than sixty dollars, if that is not too much trouble. Thank you so much!',
      means: [search('cast iron skillet', { max: money(6000, 'USD') })],
    },
    {
      says: 'Hello, would you be so kind as to tell me when the parcel I ordered is going to arrive?',
      spoken: bought,
      means: [follow],
    },
    {
      says: "If it's all the same to you, I would rather have it in brown, please, and two of them",
      spoken: whether,
      means: [adjust({ options: { color: 'brown' }, quantity: 2 })],
      or: [[adjust({ options: { color: 'brown' } }), adjust({ quantity: 2 })]],
    },
  ],
  dictation: [
    {
      says: 'um i need a desk lamp white one under forty euros and it should get here fast',
      means: [
        search('desk lamp', { options: { color: 'white' }, max: money(4000, 'EUR'), sort: 'delivery' }),
      ],
    },
    {
      says: 'okay so show me the third one and then tell me which one is cheapest',
      spoken: list,
      means: [show(place(3)), show(extreme('cheapest'))],
      or: [[show(place(3)), compare('price')]],
    },
    {
      says: 'order the blue ones size nine',
      spoken: list,
      means: [buy({ which: optioned, options: { color: 'blue', size: '9' } })],
    },
  ],
  currency: [
    { says: 'hiking socks max 150 CHF', means: [search('hiking socks', { max: money(15_000, 'CHF') })] },
    {
      says: 'a mechanical keyboard for under 12,000 yen',
      means: [search('mechanical keyboard', { max: money(12_000, 'JPY') })],
    },
  ],
}
