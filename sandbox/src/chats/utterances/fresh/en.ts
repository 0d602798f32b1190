import {
  adjust,
  buy,
  compare,
  extreme,
  type FreshSaid,
  follow,
  giveBack,
  help,
  it,
  money,
  no,
  optioned,
  refine,
  refuse,
  type Spoken,
  search,
  show,
  unclear,
  words,
  yes,
} from '../../utterance.ts'

const shown = ['Denby Stoneware Mug Blue', 'IKEA Vardagen Mug White', 'Le Creuset Cappuccino Mug Orange']
const list: Spoken = { shown }
const whether: Spoken = { shown, hasSubject: true, asked: 'whether' }
const bought: Spoken = { hasPurchase: true }

export const en: readonly FreshSaid[] = [
  {
    kind: 'search',
    says: "I'm in the market for a new bird feeder",
    means: [search('bird feeder')],
    or: [[search('new bird feeder')]],
  },
  {
    kind: 'search',
    says: 'highly rated pressure cookers please',
    means: [search('pressure cookers', { sort: 'rating' })],
  },
  {
    kind: 'capped',
    says: 'I only have £15 to spend on a kids lunchbox',
    means: [search('kids lunchbox', { max: money(1500, 'GBP') })],
    or: [[search('lunchbox', { max: money(1500, 'GBP') })]],
  },
  {
    kind: 'options',
    says: 'silk pillowcase in ivory... or just white',
    means: [search('pillowcase', { options: { material: 'silk', color: 'white' } })],
    or: [[search('pillowcase', { options: { material: 'silk', color: 'ivory' } })]],
  },
  {
    kind: 'refine',
    says: "I'd want it to arrive sooner than that",
    spoken: list,
    means: [refine({ sort: 'delivery' })],
    or: [[compare('delivery')], [show(extreme('fastest'))]],
  },
  {
    kind: 'quantity',
    says: 'we need eight folding chairs for saturday',
    means: [search('folding chairs', { quantity: 8 })],
  },
  {
    kind: 'reference',
    says: 'go back to the Denby for a sec',
    spoken: list,
    means: [show(words('denby'))],
  },
  {
    kind: 'compare',
    says: 'how do they stack up on price',
    spoken: list,
    means: [compare('price')],
  },
  {
    kind: 'buy',
    says: "the white one's perfect, order four of those",
    spoken: list,
    means: [buy({ which: optioned, options: { color: 'white' }, quantity: 4 })],
  },
  {
    kind: 'buy',
    says: 'can you purchase a 27 inch monitor stand for me',
    means: [buy({ query: '27 inch monitor stand' })],
    or: [[buy({ query: 'monitor stand', options: { size: '27 inch' } })]],
  },
  {
    kind: 'change',
    says: 'scratch that, get the orange',
    spoken: whether,
    means: [buy({ which: optioned, options: { color: 'orange' } })],
    or: [
      [buy({ options: { color: 'orange' } })],
      [adjust({ options: { color: 'orange' } })],
      [adjust({ which: optioned, options: { color: 'orange' } })],
    ],
  },
  {
    kind: 'two',
    says: 'return the lamp and order me a kettle instead',
    spoken: bought,
    means: [{ action: 'return', which: words('lamp') }, buy({ query: 'kettle' })],
    or: [[giveBack, buy({ query: 'kettle' })]],
  },
  {
    kind: 'answer',
    says: 'the biggest you have, XXL I think',
    spoken: { asked: 'size', hasSubject: true },
    means: [adjust({ options: { size: 'XXL' } })],
  },
  { kind: 'after', says: 'any update on the delivery', spoken: bought, means: [follow] },
  { kind: 'refusal', says: "what's the weather doing tomorrow", means: [refuse()], or: [[unclear]] },
  {
    kind: 'not_buying',
    says: "I'm thinking about buying it, but my wife has to agree first",
    spoken: list,
    means: [unclear],
    or: [[no], [help], [show(it)]],
  },
  {
    kind: 'slang',
    says: 'yo find me a dope beanie',
    means: [search('beanie')],
    or: [[search('dope beanie')]],
  },
  {
    kind: 'typos',
    says: 'lookin 4 a wirless chargr less then 30 usd',
    means: [search('wirless chargr', { max: money(3000, 'USD') })],
  },
  {
    kind: 'dictation',
    says: 'hi can you find me some dog food without chicken thanks',
    means: [search('dog food', { without: ['chicken'] })],
  },
  { kind: 'yes_no', says: 'yeah why not', spoken: whether, means: [yes] },
]
