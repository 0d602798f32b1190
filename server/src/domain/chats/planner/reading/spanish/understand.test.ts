import { expect, test } from 'vitest'
import type { Spoken } from '../../understood.ts'
import { told } from '../told.testing.ts'
import { understand } from '../understand.ts'

const shown: Readonly<Record<string, readonly string[]>> = {
  bikes: ['Orbea Onna roja', 'Giant Talon azul', 'Trek Marlin negra', 'BH Spike verde'],
  televisions: ['Samsung Crystal 50 pulgadas', 'LG OLED 55', 'Xiaomi TV A Pro 43'],
  shirts: ["Camisa Levi's blanca", 'Camisa Springfield azul', 'Camisa Pull&Bear negra'],
  shoes: [
    'Nike Pegasus 41 negras',
    'Adidas Ultraboost blancas',
    'Asics Gel Nimbus azules',
    'New Balance Fresh Foam grises',
  ],
  machines: ['Philips 3200 cafetera superautomática', "De'Longhi Magnifica", 'Krups Evidence'],
  bags: ['Mochila Kipling morada', 'Mochila Eastpak verde', 'Mochila Herschel beige'],
  toys: ['Lego Technic grúa', 'Playmobil castillo'],
  phones: ['Motorola G84 azul', 'Samsung A15 negro', 'Xiaomi Redmi 13 verde'],
  pots: ['Olla Tramontina 5 L', 'Olla T-fal roja', 'Olla de barro artesanal'],
  lamps: ['Lámpara Ikea Tertial negra', 'Lámpara Philips Hue blanca', 'Lámpara de mesa dorada'],
  boots: ['Botas Dr. Martens negras', 'Botas Panama Jack marrones', 'Botas Ugg beige', 'Botas Geox grises'],
}

/** What was shown, and in words what else was said before. */
function spokenOf(after: string): Spoken {
  const [asked = null] = /(?<=asked )\w+/.exec(after) ?? []
  return {
    language: null,
    shown: shown[after.split(',')[0] ?? ''] ?? [],
    asked: asked as Spoken['asked'],
    hasSubject: asked !== null || after.includes('one of them'),
    hasPurchase: after.includes('bought'),
  }
}

test.each([
  // Round 1.
  [
    'Mi nieta empieza la universidad y le hace falta un flexo para el escritorio',
    '',
    'search; query: flexo para el escritorio',
  ],
  ['auriculares gaming', '', 'search; query: auriculares gaming'],
  [
    'Quisiera una silla de oficina; no pienso pagar más de 150 dólares',
    '',
    'search; query: silla de oficina; max: 15000 USD',
  ],
  ['¿la Trek es buena para montaña?', 'bikes', 'unclear'],
  ['qué garantía trae el más barato', 'televisions', 'show; which: extreme cheapest'],
  ['enséñame más que estas no me acaban de gustar', 'shirts', 'refine; more'],
  ['¿cuál tarda menos en llegar a casa?', 'televisions', 'compare; by: delivery'],
  ['la roja. uy no, la verde', 'bikes, one of them', 'show; which: options; options: green'],
  ['quiero anular la compra que hice esta mañana', 'bought', 'cancel'],
  ['se me caducó la visa, pon la nueva', '', 'refuse; what: card'],
  ['si bajan de precio en enero la compro', 'bikes, one of them', 'unclear'],
  ['me la iba a llevar pero me han dicho que sale mala', 'televisions, one of them', 'unclear'],
  // Round 2.
  [
    'profe de primaria aquí, busco material para hacer manualidades con los críos',
    '',
    'search; query: material para hacer manualidades con los críos',
  ],
  [
    'quiero un teclado mecánico que ande por los 70 euros como mucho',
    '',
    'search; query: teclado mecánico; max: 7000 EUR',
  ],
  [
    'Buenos días, precisamos cincuenta bolígrafos azules para la oficina',
    '',
    'search; query: bolígrafos para la oficina; options: blue; quantity: 50',
  ],
  ['la segunda empezando por el final', 'shoes', 'show; which: place -2'],
  ['¿en qué se diferencian la Philips y la Krups?', 'machines', 'compare; by: price'],
  ['cómpramela ya, la beige', 'bags', 'buy; which: options; options: beige'],
  [
    'compra el Lego y luego búscame pilas doble A',
    'toys',
    'buy; which: words Lego + search; query: pilas doble A',
  ],
  ['la más grande que tengas', 'bags, asked size', 'adjust; options: large'],
  ['¿qué he ido comprando este mes?', 'bought', 'follow'],
  ['hazme un poema sobre el otoño', '', 'refuse'],
  ['la vecina me ha dicho que me la compre, pero yo qué sé', 'machines, one of them', 'unclear'],
  ['no me dejan comprar sin consultar a mi mujer', 'machines, one of them', 'unclear'],
  // Round 3.
  ['un celular que no se me vaya de los 5 mil pesos', '', 'search; query: celular; max: 500000 MXN'],
  [
    'regalo de bodas con un presupuesto entre 80 y 120 euros',
    '',
    'search; query: regalo de bodas; max: 12000 EUR; min: 8000 EUR',
  ],
  ['están re caros, tirame algo más accesible', 'phones', 'refine; cheaper'],
  ['solo azules', 'phones', 'refine; options: blue'],
  ['Órale pues, pídeme el Motorola', 'phones', 'buy; which: words Motorola'],
  ['necesito que me compres ya mismo un cargador tipo c', '', 'buy; query: cargador tipo c'],
  [
    'primero compara precios y después muéstrame el verde',
    'phones',
    'compare; by: price + show; which: options; options: green',
  ],
  ['por qué no jaló la compra', 'bought', 'why'],
  ['mi suegra quiere comprar la Tramontina, imagínate', 'pots', 'unclear'],
  ['me dijeron que no comprara esa marca', 'phones, one of them', 'unclear'],
  ['todos mis amigos se compraron el Xiaomi', 'phones', 'unclear'],
  ['no pues así no', 'pots, asked whether', 'no'],
  // Round 4.
  ['mi hijo ha perdido la mochila en el cole, necesito otra', '', 'search; query: mochila'],
  ['sandalias que no lleguen a 30 euros', '', 'search; query: sandalias; max: 3000 EUR'],
  ['una tostadora de carrefour porfa', '', 'search; query: tostadora; merchant: carrefour'],
  ['¿la primera de la lista viene con bombilla?', 'lamps', 'show; which: place 1'],
  ['fuera las de más de 150 euros', 'boots', 'refine; max: 15000 EUR'],
  ['Quiero comprar las Ugg en el 39', 'boots', 'buy; which: words Ugg; options: 39'],
  [
    'encarga por favor un ramo de rosas rojas de máximo 40 euros',
    '',
    'buy; query: ramo de rosas; options: red; max: 4000 EUR',
  ],
  [
    'compra la dorada y enséñame bombillas led',
    'lamps',
    'buy; which: options; options: gold + search; query: bombillas led',
  ],
  ['quiero cambiar las botas por un número más', 'bought', 'return; which: words botas'],
  ['hoy no compro nada, solo miro', 'lamps', 'no'],
  ['mi madre quería comprarse una igual', 'lamps, one of them', 'unclear'],
  ['venga va, dale caña', 'lamps, asked whether', 'yes'],
] as const)('%s (after %s) is: %s', (says, after, means) => {
  const { language, wishes } = understand(says, spokenOf(after))
  expect([language, wishes.map(told).join(' + ')]).toEqual(['es', means])
})
