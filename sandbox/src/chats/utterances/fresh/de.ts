import {
  adjust,
  buy,
  cancel,
  compare,
  extreme,
  type FreshSaid,
  follow,
  greet,
  help,
  it,
  money,
  no,
  optioned,
  refine,
  refuse,
  retry,
  type Spoken,
  search,
  show,
  unclear,
  why,
  words,
} from '../../utterance.ts'

const shown = [
  'Jack Wolfskin Stormy Point Regenjacke rot',
  'Vaude Rosemoor Jacke schwarz',
  'Schöffel Easy Regenjacke gelb',
]
const list: Spoken = { shown }
const whether: Spoken = { shown, hasSubject: true, asked: 'whether' }
const bought: Spoken = { hasPurchase: true }

export const de: readonly FreshSaid[] = [
  { kind: 'search', says: 'Gibt es bei euch Thermoskannen?', means: [search('Thermoskannen')] },
  {
    kind: 'search',
    says: 'Hundefutter ohne Getreide, bitte',
    means: [search('Hundefutter', { without: ['getreide'] })],
  },
  {
    kind: 'capped',
    says: 'Ich habe nur 35 Euro für ein Brettspiel',
    means: [search('Brettspiel', { max: money(3500, 'EUR') })],
  },
  {
    kind: 'options',
    says: 'Bettwäsche in 135x200, am liebsten aus Leinen, grau',
    means: [search('Bettwäsche', { options: { size: '135x200', material: 'linen', color: 'gray' } })],
  },
  {
    kind: 'refine',
    says: 'zeig mir die teuersten zuerst',
    spoken: list,
    means: [refine({ sort: 'price_descending' })],
  },
  {
    kind: 'quantity',
    says: 'wir bräuchten fünf Paar Arbeitshandschuhe',
    means: [search('Arbeitshandschuhe', { quantity: 5 })],
    or: [[search('Paar Arbeitshandschuhe', { quantity: 5 })]],
  },
  {
    kind: 'reference',
    says: 'Nochmal zu der von Vaude, was kostet die?',
    spoken: list,
    means: [show(words('vaude'))],
  },
  {
    kind: 'compare',
    says: 'Und was sagen die Leute so, welche ist am besten bewertet?',
    spoken: list,
    means: [compare('rating')],
    or: [[show(extreme('best_rated'))]],
  },
  {
    kind: 'buy',
    says: 'Die Gelbe gefällt mir, bestell die in M',
    spoken: list,
    means: [buy({ which: optioned, options: { color: 'yellow', size: 'M' } })],
  },
  {
    kind: 'buy',
    says: 'Bitte kaufen Sie zwei Flaschen Olivenöl für höchstens 15 Franken',
    means: [buy({ query: 'Flaschen Olivenöl', quantity: 2, max: money(1500, 'CHF') })],
    or: [[buy({ query: 'Olivenöl', quantity: 2, max: money(1500, 'CHF') })]],
  },
  {
    kind: 'change',
    says: 'Halt, stopp, doch in Schwarz',
    spoken: whether,
    means: [adjust({ options: { color: 'black' } })],
  },
  {
    kind: 'two',
    says: 'Warum ging das schief? Probier es bitte noch mal',
    spoken: bought,
    means: [why, retry],
  },
  {
    kind: 'answer',
    says: 'öhm, Größe vierundvierzig',
    spoken: { asked: 'size', hasSubject: true },
    means: [adjust({ options: { size: '44' } })],
  },
  { kind: 'after', says: 'Ist meine Sendung schon unterwegs?', spoken: bought, means: [follow] },
  {
    kind: 'refusal',
    says: 'Können Sie mir bitte jemanden vom Kundendienst geben',
    means: [refuse('person')],
  },
  {
    kind: 'not_buying',
    says: 'Ich überlege noch, ob ich sie kaufe',
    spoken: list,
    means: [unclear],
    or: [[no], [help], [show(it)]],
  },
  {
    kind: 'slang',
    says: 'gibts die nich auch billiger?',
    spoken: list,
    means: [refine({ cheaper: true })],
  },
  {
    kind: 'typos',
    says: 'Kafeemaschiene fürs büro bis 200eur',
    means: [search('Kafeemaschiene fürs büro', { max: money(20_000, 'EUR') })],
    or: [
      [search('Kafeemaschiene büro', { max: money(20_000, 'EUR') })],
      [search('Kafeemaschiene', { max: money(20_000, 'EUR') })],
    ],
  },
  {
    kind: 'polite',
    says: 'Dürfte ich Sie bitten, die Bestellung wieder rückgängig zu machen?',
    spoken: bought,
    means: [cancel],
  },
  { kind: 'small_talk', says: 'Moin moin', means: [greet] },
]
