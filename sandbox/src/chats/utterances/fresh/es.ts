import {
  adjust,
  buy,
  cancel,
  compare,
  extreme,
  type FreshSaid,
  follow,
  giveBack,
  money,
  noWish,
  optioned,
  place,
  refine,
  refuse,
  type Spoken,
  search,
  show,
  unclear,
  words,
} from '../../utterance.ts'

const shown = ['Silla gamer Drift negra', 'Silla de comedor Nordic blanca', 'Silla plegable Outsunny verde']
const list: Spoken = { shown }
const whether: Spoken = { shown, hasSubject: true, asked: 'whether' }
const bought: Spoken = { hasPurchase: true }

export const es: readonly FreshSaid[] = [
  {
    kind: 'search',
    says: '¿Venden cargadores para laptop?',
    means: [search('cargadores para laptop')],
    or: [[search('cargadores laptop')]],
  },
  {
    kind: 'search',
    says: 'leche de avena sin azúcar',
    means: [search('leche de avena', { without: ['azúcar'] })],
  },
  {
    kind: 'capped',
    says: 'tengo 100 euros para gastar en unos patines',
    means: [search('patines', { max: money(10_000, 'EUR') })],
  },
  {
    kind: 'options',
    says: 'un vestido rojo de seda, talla 38',
    means: [search('vestido', { options: { color: 'red', material: 'silk', size: '38' } })],
  },
  {
    kind: 'refine',
    says: 'solo las que lleguen rápido',
    spoken: list,
    means: [refine({ sort: 'delivery' })],
  },
  {
    kind: 'quantity',
    says: 'quisiera cuatro platos hondos',
    means: [search('platos hondos', { quantity: 4 })],
  },
  {
    kind: 'reference',
    says: 'la de comedor, ¿me la enseñas?',
    spoken: list,
    means: [show(words('de comedor'))],
    or: [[show(words('comedor'))]],
  },
  {
    kind: 'compare',
    says: 'y entre todas, ¿cuál sale más a cuenta?',
    spoken: list,
    means: [compare('price')],
    or: [[show(extreme('cheapest'))]],
  },
  {
    kind: 'buy',
    says: 'me llevo dos de las verdes',
    spoken: list,
    means: [buy({ which: optioned, options: { color: 'green' }, quantity: 2 })],
  },
  {
    kind: 'buy',
    says: '¿Me puede comprar un termo de un litro?',
    means: [buy({ query: 'termo', options: { size: '1 L' } })],
    or: [[buy({ query: 'termo de un litro' })], [buy({ query: 'termo', options: { size: '1 litro' } })]],
  },
  {
    kind: 'change',
    says: 'no no, cámbiame el color a blanco',
    spoken: whether,
    means: [adjust({ options: { color: 'white' } })],
  },
  {
    kind: 'two',
    says: 'muéstrame la primera y dime si hay más baratas',
    spoken: list,
    means: [show(place(1)), refine({ cheaper: true })],
  },
  {
    kind: 'answer',
    says: 'me da igual, ponle el azul',
    spoken: { asked: 'color', hasSubject: true },
    means: [adjust({ options: { color: 'blue' } })],
  },
  { kind: 'after', says: 'oye, ¿ya salió mi envío?', spoken: bought, means: [follow] },
  { kind: 'refusal', says: 'pásame con alguien de atención al cliente', means: [refuse('person')] },
  {
    kind: 'not_buying',
    says: 'me dijeron que no la comprara',
    spoken: list,
    means: [unclear],
    or: [...noWish, [cancel]],
  },
  {
    kind: 'slang',
    says: 'che, conseguime unas zapas negras',
    means: [search('zapas', { options: { color: 'black' } })],
    or: [[buy({ query: 'zapas', options: { color: 'black' } })]],
  },
  {
    kind: 'typos',
    says: 'nesesito un mause inalanbrico asta 20 dolares',
    means: [search('mause inalanbrico', { max: money(2000, 'USD') })],
  },
  {
    kind: 'polite',
    says: '¿Sería posible, si no le importa, que me devolvieran el dinero? El artículo llegó roto.',
    spoken: bought,
    means: [giveBack],
  },
  {
    kind: 'currency',
    says: 'una olla a presión de hasta 250 soles',
    means: [search('olla a presión', { max: money(25_000, 'PEN') })],
  },
]
