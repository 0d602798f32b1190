import {
  adjust,
  buy,
  compare,
  type FreshSaid,
  follow,
  giveBack,
  greet,
  help,
  it,
  money,
  place,
  refine,
  refuse,
  type Spoken,
  search,
  show,
  unclear,
  words,
} from '../../utterance.ts'

const shown = ['Casio F-91W montre noire', 'Swatch Gent montre rouge', 'Timex Weekender montre bleue']
const list: Spoken = { shown }
const whether: Spoken = { shown, hasSubject: true, asked: 'whether' }
const bought: Spoken = { hasPurchase: true }

export const fr: readonly FreshSaid[] = [
  {
    kind: 'search',
    says: 'est-ce que vous vendez des guirlandes lumineuses ?',
    means: [search('guirlandes lumineuses')],
  },
  {
    kind: 'search',
    says: 'du chocolat noir sans sucre',
    means: [search('chocolat noir', { without: ['sucre'] })],
    or: [[search('chocolat', { options: { color: 'black' }, without: ['sucre'] })]],
  },
  {
    kind: 'capped',
    says: "j'ai un budget de 200 euros pour un aspirateur robot",
    means: [search('aspirateur robot', { max: money(20_000, 'EUR') })],
  },
  {
    kind: 'options',
    says: 'une ceinture en cuir marron, taille 95',
    means: [search('ceinture', { options: { material: 'leather', color: 'brown', size: '95' } })],
  },
  {
    kind: 'refine',
    says: "seulement celles qu'on trouve chez horlogerie.example",
    spoken: list,
    means: [refine({ merchant: 'horlogerie.example' })],
  },
  {
    kind: 'quantity',
    says: 'je voudrais quatre coussins jaunes',
    means: [search('coussins', { quantity: 4, options: { color: 'yellow' } })],
  },
  {
    kind: 'reference',
    says: "celle d'avant, la Swatch, elle coûte combien ?",
    spoken: list,
    means: [show(words('swatch'))],
  },
  {
    kind: 'compare',
    says: 'compare-les selon les délais de livraison',
    spoken: list,
    means: [compare('delivery')],
  },
  {
    kind: 'buy',
    says: 'allez, va pour la troisième',
    spoken: list,
    means: [buy({ which: place(3) })],
    or: [[show(place(3))]],
  },
  {
    kind: 'buy',
    says: 'peux-tu me commander deux ampoules LED',
    means: [buy({ query: 'ampoules LED', quantity: 2 })],
  },
  {
    kind: 'change',
    says: "ah non, je me suis trompé, c'est du M qu'il me faut",
    spoken: whether,
    means: [adjust({ options: { size: 'M' } })],
  },
  {
    kind: 'two',
    says: 'montre-moi la Casio puis compare les notes',
    spoken: list,
    means: [show(words('casio')), compare('rating')],
  },
  {
    kind: 'answer',
    says: "trois, s'il te plaît",
    spoken: { asked: 'quantity', hasSubject: true },
    means: [adjust({ quantity: 3 })],
  },
  {
    kind: 'after',
    says: 'comment je fais pour être remboursé et le renvoyer ?',
    spoken: bought,
    means: [giveBack],
  },
  { kind: 'refusal', says: "j'ai déménagé, mets à jour mon adresse", means: [refuse('address')] },
  {
    kind: 'not_buying',
    says: 'si je la commande, elle arrive quand ?',
    spoken: list,
    means: [compare('delivery')],
    or: [[show(it)], [help], [unclear], [follow]],
  },
  {
    kind: 'slang',
    says: 'slt tu peux mtrouver une enceinte pas chère',
    means: [search('enceinte', { sort: 'price' })],
  },
  {
    kind: 'typos',
    says: 'chausure de rando homm pointur 44',
    means: [search('chausure de rando homm', { options: { size: '44' } })],
  },
  { kind: 'letters', says: 'je voudrais une theiere emaillee', means: [search('theiere emaillee')] },
  { kind: 'small_talk', says: 'bonsoir', means: [greet] },
]
