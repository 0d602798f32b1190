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
  'Samsonite Urbify maleta de cabina negra 55 cm',
  'American Tourister Soundbox maleta azul 67 cm',
  'Kipling Art bolsa de viaje roja',
]
const list: Spoken = { shown }
const subject: Spoken = { shown, hasSubject: true }
const whether: Spoken = { shown, hasSubject: true, asked: 'whether' }
const bought: Spoken = { hasPurchase: true }

export const es: Utterances = {
  search: [
    {
      says: 'Busco una funda para el celular',
      means: [search('funda para el celular')],
      or: [[search('funda celular')], [search('funda para celular')]],
    },
    { says: '¿Tenéis esterillas de yoga?', means: [search('esterillas de yoga')] },
    { says: 'Ando buscando una licuadora para regalarle a mi mamá', means: [search('licuadora')] },
  ],
  capped: [
    {
      says: 'auriculares inalámbricos por menos de 40 €',
      means: [search('auriculares inalámbricos', { max: money(4000, 'EUR') })],
    },
    {
      says: 'Quiero una silla de oficina que no pase de 1.299,50 euros',
      means: [search('silla de oficina', { max: money(129_950, 'EUR') })],
    },
    {
      says: 'una cafetera entre 50 y 120 euros',
      means: [search('cafetera', { min: money(5000, 'EUR'), max: money(12_000, 'EUR') })],
    },
    {
      says: 'la freidora de aire más barata que haya, máximo 89,99',
      means: [search('freidora de aire', { sort: 'price', max: money(8999, null) })],
    },
  ],
  options: [
    {
      says: 'un cinturón negro de cuero talla 90',
      means: [search('cinturón', { options: { color: 'black', material: 'leather', size: '90' } })],
    },
    {
      says: 'zapatillas blancas del 43',
      means: [search('zapatillas', { options: { color: 'white', size: '43' } })],
    },
    {
      says: 'Necesito una camisa de algodón azul, talle M',
      means: [search('camisa', { options: { material: 'cotton', color: 'blue', size: 'M' } })],
    },
    {
      says: '¿la hay en verde?',
      spoken: list,
      means: [refine({ options: { color: 'green' } })],
      or: [[adjust({ options: { color: 'green' } })]],
    },
  ],
  refine: [
    { says: '¿tienes más opciones?', spoken: list, means: [refine({ more: true })] },
    { says: 'algo por debajo de 80 euros mejor', spoken: list, means: [refine({ max: money(8000, 'EUR') })] },
    { says: 'que no lleven ruedas', spoken: list, means: [refine({ without: ['ruedas'] })] },
    {
      says: 'Ordénalas de más cara a más barata',
      spoken: list,
      means: [refine({ sort: 'price_descending' })],
    },
  ],
  quantity: [
    { says: 'necesito seis copas de vino', means: [search('copas de vino', { quantity: 6 })] },
    {
      says: '2 toallas de baño grises',
      means: [search('toallas de baño', { quantity: 2, options: { color: 'gray' } })],
    },
    { says: 'que sean tres', spoken: whether, means: [adjust({ quantity: 3 })] },
    {
      says: 'una docena de pelotas de pádel por menos de 30 euros',
      means: [search('pelotas de pádel', { quantity: 12, max: money(3000, 'EUR') })],
    },
  ],
  reference: [
    {
      says: 'la segunda, pero en rojo',
      spoken: list,
      means: [show(place(2), { color: 'red' })],
      or: [[adjust({ which: place(2), options: { color: 'red' } })]],
    },
    { says: 'cuéntame más de la Samsonite', spoken: list, means: [show(words('samsonite'))] },
    { says: '¿Y la última qué tal es?', spoken: list, means: [show(place(-1))] },
    { says: 'a ver la azul', spoken: list, means: [show(optioned, { color: 'blue' })] },
  ],
  compare: [
    {
      says: '¿cuál es la más barata?',
      spoken: list,
      means: [compare('price')],
      or: [[show(extreme('cheapest'))]],
    },
    {
      says: '¿Cuál tiene mejores opiniones?',
      spoken: list,
      means: [compare('rating')],
      or: [[show(extreme('best_rated'))]],
    },
    {
      says: 'cuál me llega antes',
      spoken: list,
      means: [compare('delivery')],
      or: [[show(extreme('fastest'))]],
    },
  ],
  buy: [
    {
      says: 'cómprame un paraguas rojo de menos de 25 euros',
      means: [buy({ query: 'paraguas', options: { color: 'red' }, max: money(2500, 'EUR') })],
    },
    {
      says: 'Pide 3 paquetes de pilas AA',
      means: [buy({ query: 'paquetes de pilas AA', quantity: 3 })],
      or: [[buy({ query: 'pilas AA', quantity: 3 })]],
    },
    {
      says: 'Encárgueme una tostadora en casaymas.example, por favor',
      means: [buy({ query: 'tostadora', merchant: 'casaymas.example' })],
    },
    { says: 'Me quedo con la segunda', spoken: list, means: [buy({ which: place(2) })] },
    { says: 'vale, cómprala', spoken: subject, means: [buy({ which: it })] },
    {
      says: 'dame la más barata en negro',
      spoken: list,
      means: [buy({ which: extreme('cheapest'), options: { color: 'black' } })],
      or: [[show(extreme('cheapest'), { color: 'black' })]],
    },
  ],
  change: [
    {
      says: 'no, mejor la verde',
      spoken: whether,
      means: [adjust({ options: { color: 'green' } })],
      or: [
        [adjust({ which: optioned, options: { color: 'green' } })],
        [show(optioned, { color: 'green' })],
        [buy({ which: optioned, options: { color: 'green' } })],
      ],
    },
    {
      says: 'en realidad la prefiero en talla L',
      spoken: whether,
      means: [adjust({ options: { size: 'L' } })],
    },
    { says: 'espera, me equivoqué, solo una', spoken: whether, means: [adjust({ quantity: 1 })] },
    { says: 'olvida las maletas, enséñame mochilas', spoken: list, means: [search('mochilas')] },
  ],
  two: [
    {
      says: 'necesito una tienda de campaña y un saco de dormir',
      means: [search('tienda de campaña'), search('saco de dormir')],
    },
    {
      says: 'busca un hervidor por menos de 30 euros y compra el más barato',
      means: [search('hervidor', { max: money(3000, 'EUR') }), buy({ which: extreme('cheapest') })],
    },
    { says: '¡Gracias! ¿Y dónde está mi pedido?', spoken: bought, means: [thank, follow], or: [[follow]] },
    {
      says: 'cancela el pedido y búscame algo más barato',
      spoken: { shown, hasPurchase: true },
      means: [cancel, refine({ cheaper: true })],
    },
  ],
  answer: [
    {
      says: 'la 40',
      spoken: { asked: 'size', hasSubject: true },
      means: [adjust({ options: { size: '40' } })],
    },
    {
      says: 'negro está bien',
      spoken: { asked: 'color', hasSubject: true },
      means: [adjust({ options: { color: 'black' } })],
    },
    {
      says: 'con dos me basta',
      spoken: { asked: 'quantity', hasSubject: true },
      means: [adjust({ quantity: 2 })],
    },
    {
      says: 'de lana, si puede ser',
      spoken: { asked: 'material', hasSubject: true },
      means: [adjust({ options: { material: 'wool' } })],
    },
  ],
  after: [
    { says: '¿Por dónde va mi paquete?', spoken: bought, means: [follow] },
    { says: 'quiero cancelar la compra', spoken: bought, means: [cancel] },
    { says: 'no me quedan bien, quiero devolverlos', spoken: bought, means: [giveBack] },
    { says: '¿por qué falló?', spoken: bought, means: [why] },
    { says: 'inténtalo otra vez', spoken: bought, means: [retry] },
  ],
  refusal: [
    { says: 'cambia mi dirección de envío', means: [refuse('address')] },
    { says: 'súbeme el límite a 500 euros', means: [refuse('limit')] },
    { says: 'quiero hablar con una persona', means: [refuse('person')] },
    { says: 'Necesito cambiar la tarjeta con la que pago', means: [refuse('card')] },
  ],
  not_buying: [
    { says: 'no la compres', spoken: whether, means: [no], or: [[cancel]] },
    { says: 'ya la compré ayer', spoken: subject, means: [unclear], or: noWish },
    { says: '¿Tú la comprarías?', spoken: subject, means: [show(it)], or: advice },
    {
      says: 'todavía no quiero comprar nada, solo estoy mirando',
      spoken: list,
      means: [no],
      or: [[unclear], [help]],
    },
  ],
  yes_no: [
    { says: 'sip', spoken: whether, means: [yes] },
    { says: 'dale, de una', spoken: whether, means: [yes] },
    { says: 'nop', spoken: whether, means: [no] },
  ],
  small_talk: [
    { says: 'holaaa', means: [greet] },
    { says: '¿Qué puedes hacer por mí?', means: [help] },
    { says: 'mil gracias, me sirvió un montón', spoken: subject, means: [thank] },
  ],
  slang: [
    {
      says: 'pásame unos tenis chidos de menos de 60 euritos',
      means: [search('tenis', { max: money(6000, 'EUR') })],
      or: [[search('tenis chidos', { max: money(6000, 'EUR') })]],
    },
    { says: 'uf, carísimo tío', spoken: list, means: [refine({ cheaper: true })] },
    { says: 'me pillo la primera', spoken: list, means: [buy({ which: place(1) })] },
  ],
  typos: [
    { says: 'vusco una aspirdora', means: [search('aspirdora')] },
    { says: 'enseñame la segnuda', spoken: list, means: [show(place(2))] },
    { says: 'donde esta mi peiddo', spoken: bought, means: [follow] },
  ],
  letters: [
    { says: 'cuanto cuesta la ultima', spoken: list, means: [show(place(-1))] },
    {
      says: 'un sueter de algodon marron',
      means: [search('sueter', { options: { material: 'cotton', color: 'brown' } })],
    },
    { says: 'por que no se pudo pagar', spoken: bought, means: [why] },
  ],
  polite: [
    {
      says: 'Buenas tardes, quisiera saber si sería usted tan amable de ayudarme a encontrar una sartén de hierro fundido, a ser posible por menos de sesenta euros. Muchísimas gracias.',
      means: [search('sartén de hierro fundido', { max: money(6000, 'EUR') })],
      or: [[search('sartén', { max: money(6000, 'EUR'), options: { material: 'cast iron' } })]],
    },
    {
      says: 'Disculpe la molestia, ¿podría indicarme cuándo llegará aproximadamente lo que encargué?',
      spoken: bought,
      means: [follow],
    },
    {
      says: 'Si no es mucho pedir, la preferiría en marrón, y que sean dos, por favor',
      spoken: whether,
      means: [adjust({ options: { color: 'brown' }, quantity: 2 })],
      or: [[adjust({ options: { color: 'brown' } }), adjust({ quantity: 2 })]],
    },
  ],
  dictation: [
    {
      says: 'eh pues necesito una lámpara de escritorio blanca por menos de cuarenta euros y que llegue rápido',
      means: [
        search('lámpara de escritorio', {
          options: { color: 'white' },
          max: money(4000, 'EUR'),
          sort: 'delivery',
        }),
      ],
    },
    {
      says: 'bueno enséñame la tercera y dime cuál es la mejor valorada',
      spoken: list,
      means: [show(place(3)), compare('rating')],
      or: [[show(place(3)), show(extreme('best_rated'))]],
    },
    {
      says: 'vale pues pide la roja',
      spoken: list,
      means: [buy({ which: optioned, options: { color: 'red' } })],
    },
  ],
  currency: [
    {
      says: 'una bocina bluetooth de menos de 1,500 pesos mexicanos',
      means: [search('bocina bluetooth', { max: money(150_000, 'MXN') })],
    },
    {
      says: 'Quiero una computadora portátil, hasta 800 dólares',
      means: [search('computadora portátil', { max: money(80_000, 'USD') })],
    },
  ],
}
