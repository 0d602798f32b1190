import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { computingMs } from '../../../../../test/gate/pace.ts'
import type { Spoken } from '../understood.ts'
import { understand } from './understand.ts'

const first: Spoken = { language: null, shown: [], asked: null, hasSubject: false, hasPurchase: false }
const subject: Spoken = { ...first, shown: ['Thermos King 1.2 L', 'Hydro Flask Bottle'], hasSubject: true }
const whether: Spoken = { ...subject, asked: 'whether' }

function actions(says: string, spoken: Spoken = first): string[] {
  return understand(says, spoken).wishes.map(({ action }) => action)
}

const noBuying = [
  "don't buy it",
  'do not order that please',
  'never buy this',
  'I bought it yesterday',
  'should I buy it?',
  'how do I buy?',
  "I'm not ready to order yet",
  'buy it if it is any good',
  'buy it... no',
  'kauf das nicht',
  'kauf das bloß nicht!',
  'ich will keinen Wasserkocher kaufen',
  'das habe ich schon gekauft',
  'soll ich den kaufen?',
  'wie kann ich hier kaufen',
  'bitte noch nichts bestellen',
  "ne l'achète pas",
  'je ne veux rien commander',
  "je l'ai acheté hier",
  "est-ce que je devrais l'acheter ?",
  'comment on fait pour acheter',
  'no lo compres',
  'no quiero comprar nada',
  'ya lo compré',
  '¿debería comprarlo?',
  'por que no se pudo pagar',
  '買わないで',
  'まだ注文しないでください',
  '昨日買ったよ',
  'これ買うべき？',
  'どうやって買うの？',
  'あなたならこれ買う？',
  "I'm just looking, not buying",
  "please wait, don't purchase yet",
  "I think I'd buy the red one if it were cheaper",
  "my wife wants me to buy it but I'm unsure",
  'is buying it a good idea?',
  'do people usually buy two?',
  'we ordered that last month already',
  'has anyone bought this one?',
  'I nearly ordered it',
  'did you just order that?!',
  'why did you order that',
  'let me think before we order',
  "I don't want you to order",
  'can you explain how ordering works',
  "I shouldn't buy this",
  'under no circumstances order it',
  'it says bought, why',
  'eigentlich will ich nichts kaufen',
  'ich schau nur, ich kauf nichts',
  'hast du das jetzt etwa bestellt?',
  'warum hast du das bestellt',
  'meine frau meint ich soll das kaufen',
  'ist der kauf eine gute idee',
  'darf ich das überhaupt kaufen',
  'ich bestelle vielleicht nächste woche',
  'unter keinen umständen bestellen',
  'kein kauf bitte',
  'den würde ich kaufen, wenn er billiger wäre',
  'haben andere das auch gekauft?',
  'ich wollte das gar nicht bestellen',
  "je regarde juste, je n'achète pas",
  "pourquoi t'as commandé ça",
  'tu viens de commander ?',
  "ma femme veut que je l'achète mais j'hésite",
  "c'est une bonne idée d'acheter ça ?",
  'en aucun cas tu commandes',
  'je commanderai peut-être la semaine prochaine',
  'je voulais pas commander ça',
  "je l'achèterais s'il était moins cher",
  'attends avant de commander',
  'faut pas acheter',
  'solo estoy mirando, no voy a comprar',
  'por qué pediste eso',
  'acabas de pedirlo?',
  'mi esposa quiere que lo compre pero dudo',
  'es buena idea comprarlo?',
  'bajo ninguna circunstancia lo pidas',
  'a lo mejor lo pido la próxima semana',
  'yo no quería pedir eso',
  'lo compraría si estuviera más barato',
  'espera antes de pedir',
  'no hay que comprar nada',
  '見てるだけで買いません',
  'なんで注文したの',
  '今注文しちゃった？',
  '妻が買えって言うけど迷う',
  '買うのはいい考え？',
  '絶対に注文しないで',
  '来週買うかもしれない',
  '注文するつもりじゃなかった',
  'もう少し安ければ買うのに',
  '注文する前に待って',
  '買う必要ないよね',
  'what happens when i buy this',
  'is it worth buying',
  'i might buy the second one later',
  'my friend bought the blue one',
  "please don't ever order without asking",
  'would you buy it?',
  "i'm thinking of buying the red one",
  'before you buy anything, show me the price',
  'i was going to buy it but no',
  'who buys this',
  'can i buy it later?',
  'i regret buying it',
  'no need to order now',
  "stop, don't order",
  'i already have one',
  'not buying that',
  "can't buy it right now",
  "I won't order this",
  'you bought the wrong one',
  "don't go ahead",
  'why would i buy that',
  "i'd rather not buy it",
  'if i buy two, is it cheaper?',
  "no don't take the second",
  'do not add it to the cart',
  'remove it from my cart',
  'how much is it to order',
  'order status',
  'what can i buy with 20 euros',
  'where do you buy your stuff',
  'ich überlege den zweiten zu kaufen',
  'warte noch mit dem kaufen',
  'nicht kaufen!',
  'kauf bloß nichts',
  'ich habe den blauen schon bestellt',
  'was passiert wenn ich das kaufe',
  'mein freund hat den gekauft',
  'lieber nicht bestellen',
  'würdest du den nehmen?',
  'ich nehm den nicht',
  'den nehme ich lieber nicht',
  'kaufst du eigentlich auch selbst?',
  'muss ich das gleich bezahlen?',
  'wie bezahle ich',
  'bestell das ja nicht',
  'wer kauft denn sowas',
  'ich will das nicht kaufen',
  'nimm ihn nicht',
  'leg es nicht in den warenkorb',
  'habe ich das gekauft?',
  'wurde das bestellt?',
  'bevor du kaufst, frag mich',
  "je vais peut-être l'acheter",
  "n'achète rien sans me demander",
  "j'hésite à prendre le deuxième",
  'mon ami a acheté le bleu',
  'ne prends pas le rouge',
  "tu me conseilles de l'acheter ?",
  'je ne le prends pas',
  'surtout ne commande rien',
  'comment payer ?',
  "qu'est-ce qui se passe si je commande",
  "je l'achèterai plus tard",
  'pas besoin de commander',
  "c'est toi qui achètes ?",
  "avant d'acheter je veux voir le prix",
  "je l'avais commandé hier",
  "ne l'ajoute pas au panier",
  'on peut acheter à crédit ?',
  'tal vez lo compre mañana',
  'no lo pidas',
  'no compres nada sin preguntarme',
  'mi amigo compró el azul',
  'estoy pensando en comprarlo',
  'no me lo llevo',
  'qué pasa si lo compro',
  'cómo pago?',
  'lo compraría si fuera más barato',
  'no quiero pedirlo',
  'aún no lo compres',
  'quién compra esto',
  'antes de comprar quiero ver',
  'ya lo pedí ayer',
  'no lo añadas al carrito',
  'me conviene comprarlo?',
  'se puede comprar a plazos?',
  '買うかどうか迷っています',
  '買わないでね',
  '友達が買ったやつ',
  '買ったら教えて',
  'いつ買えばいい？',
  'まだ買いません',
  '注文しなくていいです',
  '買うのはやめる',
  'カートに入れないで',
  '購入前に確認したい',
  '買う予定はない',
  '買えるの？',
  'それ買った？',
  '注文したっけ',
  'もし買ったらどうなる',
  '支払い方法は？',
  '買う気がしない',
  'やっぱり買うのやめた',
]

describe('what does not ask to buy is never read as buying', () => {
  test.each(noBuying)('%s', (says) => {
    for (const spoken of [first, subject, whether]) expect(actions(says, spoken)).not.toContain('buy')
  })
})

describe('what says no is never read as yes', () => {
  test.each([
    'no',
    'nope',
    'no, not that',
    'yes, no, wait',
    'nein',
    'nö danke',
    'auf keinen Fall',
    'non merci',
    'pas du tout',
    'no gracias',
    'para nada',
    'いいえ',
    'いや、いいです',
    '結構です',
  ])('%s', (says) => {
    for (const spoken of [first, subject, whether]) expect(actions(says, spoken)).not.toContain('yes')
  })
})

describe('numbers of the product are no quantity and no limit', () => {
  test.each([
    ['iPhone 15', 'iPhone 15'],
    ['a 5 l pot', '5 l pot'],
    ['24 V charger', '24 V charger'],
    ['tent for 2 people', 'tent for 2 people'],
    ['Zelt für 2 Personen', 'Zelt für 2 Personen'],
    ['perceuse 18 V', 'perceuse 18 V'],
    ['taladro de 18 V', 'taladro de 18 V'],
    ['18Vの電動ドリル', '18Vの電動ドリル'],
  ])('%s', (says, query) => {
    expect(understand(says, first).wishes).toEqual([{ action: 'search', query }])
  })
})

describe('amounts are read as they are written', () => {
  test.each([
    ['kettle under 30 euros', 3000n, 'EUR'],
    ['kettle under 30', 3000n, null],
    ['laptop up to $1,299.99', 129999n, 'USD'],
    ['lamp, 20 quid max', 2000n, 'GBP'],
    ['Laptop bis 1.299,00 €', 129900n, 'EUR'],
    ['Lampe für höchstens dreißig Euro', 3000n, 'EUR'],
    ["Rad bis 1'299 Franken", 129900n, 'CHF'],
    ['casque moins de 50 balles', 5000n, 'EUR'],
    ['vélo à moins de quatre-vingt-dix euros', 9000n, 'EUR'],
    ['mochila por menos de treinta y cinco euros', 3500n, 'EUR'],
    ['3000円以下のケトル', 3000n, 'JPY'],
    ['二千円以内のケトル', 2000n, 'JPY'],
    ['1万5千円までのケトル', 15000n, 'JPY'],
  ])('%s', (says, amount, currency) => {
    expect(understand(says, first).wishes).toMatchObject([{ action: 'search', max: { amount, currency } }])
  })
})

const steady = [
  ['find me a quiet kettle under 30 euros', first],
  ['compare them by price', subject],
  ["don't buy it", subject],
  ["I'll take the second one", subject],
  ['ich suche einen leisen Wasserkocher bis 40 Euro', first],
  ['wo ist mein Paket', { ...first, hasPurchase: true }],
  ['das möchte ich zurückgeben', { ...first, hasPurchase: true }],
  ['je cherche une bouilloire électrique', first],
  ['annule ma commande', { ...first, hasPurchase: true }],
  ['busco una mochila de senderismo', first],
  ['no lo compres', subject],
  ['二番目のを買います', subject],
] satisfies [string, Spoken][]

test('case, missing diacritics, more spaces and a picture at the end change no action', () => {
  const mutations: readonly ((text: string) => string)[] = [
    (text) => text.toUpperCase(),
    (text) => text.toLowerCase(),
    (text) => text.normalize('NFD').replace(/[\u0300-\u036f]/g, ''),
    (text) => text.replaceAll(' ', '  '),
    (text) => ` ${text} `,
    (text) => `${text} 😀`,
    (text) => `${text}!!!`,
  ]
  fc.assert(
    fc.property(
      fc.constantFrom(...steady),
      fc.subarray([...mutations], { minLength: 1 }),
      ([text, spoken], chosen) => {
        const mutated = chosen.reduce((said, change) => change(said), text)
        expect(actions(mutated, spoken)).toEqual(actions(text, spoken))
      },
    ),
    { numRuns: 10_000 },
  )
})

test('whatever is written, something is understood, and nothing is thrown', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 200 }), (text) => {
      expect(understand(text, first).wishes.length).toBeGreaterThan(0)
    }),
    { numRuns: 1_000 },
  )
})

describe('a message of 8,000 letters takes no longer than its length explains', () => {
  test.each([
    'no ',
    'no wait ',
    'buy ',
    'buy it and ',
    'que ya se compro otra vez ',
    'si lo compro mejor no, ',
    'el rojo tiene ',
    'if ',
    '1 ',
    '1',
    '1,000.',
    'under ',
    'without ',
    'a-',
    "l'",
    'aaaaaaaaab ',
    '二',
    '二千円',
    'の',
    'はい',
    '買わない',
    'ア',
    '\u0301',
    '😀',
    '.',
    'size size ',
    'find a kettle, ',
  ])('%j', (part) => {
    const whole = part.repeat(Math.ceil(8_000 / part.length)).slice(0, 8_000)
    understand(whole.slice(0, 1_000), first)
    expect(computingMs(() => understand(whole, first))).toBeLessThan(150)
  })
})

test('a message of 500 letters takes two milliseconds', () => {
  const text =
    'Guten Tag, ich suche für meine Mutter einen leisen Wasserkocher, der nicht mehr als 40 Euro kostet. '
  const message = text.repeat(5).slice(0, 500)
  for (let warm = 0; warm < 200; warm += 1) understand(message, first)
  const tookMs = computingMs(() => {
    for (let round = 0; round < 100; round += 1) understand(message, first)
  })
  expect(tookMs / 100).toBeLessThan(2)
})
