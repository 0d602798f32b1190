import { expect, test } from 'vitest'
import type { Spoken } from '../../understood.ts'
import { told } from '../told.testing.ts'
import { understand } from '../understand.ts'

const first: Spoken = { language: null, shown: [], asked: null, hasSubject: false, hasPurchase: false }
const chairs = [
  'Songmics Bürostuhl schwarz',
  'Topstar Sitness Bürostuhl rot',
  'Hjh Office Bürostuhl grau',
  'Ikea Markus Bürostuhl dunkelblau',
]
const phones = [
  'Sony WH-CH520 Kopfhörer weiß',
  'JBL Tune 510 Kopfhörer blau',
  'Anker Soundcore Q20 Kopfhörer schwarz',
]
const mixers = [
  'Bosch MUM5 Küchenmaschine silber',
  'Kenwood kMix Küchenmaschine rot',
  'KitchenAid Artisan Küchenmaschine creme',
  'Klarstein Bella Küchenmaschine schwarz',
]
const bikes = [
  'Cube Nature Damenrad petrol',
  'Kalkhoff Endeavour Trekkingrad schwarz',
  'Prophete Geniesser Citybike weiß',
]
const bags = [
  'Eastpak Provider Rucksack schwarz',
  'Fjällräven Kanken Rucksack gelb',
  'Satch Match Schulrucksack blau',
]
const vacuums = [
  'Miele Complete C3 Staubsauger rot',
  'Dyson V8 Akkusauger grau',
  'Rowenta X-Force Akkusauger violett',
  'AEG VX6 Staubsauger weiß',
  'Philips SpeedPro Akkusauger türkis',
]
const tvs = [
  'LG OLED55 Fernseher schwarz',
  'Samsung Crystal 50 Fernseher grau',
  'Hisense A6 Fernseher schwarz',
  'TCL P635 Fernseher silber',
]
const mugs = ['Villeroy Boch Becher weiß', 'Kahla Five Senses Tasse grün', 'Ritzenhoff Kaffeebecher rot']

/** What was said, what of the conversation it depends on, and what it means. */
const examples: readonly (readonly [says: string, after: Partial<Spoken>, means: string])[] = [
  ['hundebett', {}, 'search; query: hundebett'],
  ['gibts den auch in weiß', { shown: chairs }, 'refine; options: white'],
  ['Glühbirnen E27, 4 Stück', {}, 'search; query: Glühbirnen E27; quantity: 4'],
  ['Erzählen Sie mir bitte etwas über den vorletzten', { shown: chairs }, 'show; which: place -2'],
  ['zu teuer!!', { shown: phones }, 'refine; cheaper'],
  ['den blauen bitte bestellen', { shown: phones }, 'buy; which: options; options: blue'],
  ['Ich suche Vorhänge, nein, Entschuldigung, Jalousien', {}, 'search; query: Jalousien'],
  ['Drei reichen mir völlig', { hasSubject: true, asked: 'quantity' }, 'adjust; quantity: 3'],
  ['wann kriege ich mein paket endlich', { hasPurchase: true }, 'follow'],
  ['Bevor wir etwas bestellen, muss ich erst messen.', { shown: chairs, hasSubject: true }, 'unclear'],
  ['Auf gar keinen Fall.', { shown: phones, hasSubject: true, asked: 'whether' }, 'no'],
  ['wir kriegen am freitag besuch und haben keine gästematratze', {}, 'search; query: gästematratze'],
  ['Dirndl ab 80 Euro aufwärts, bitte nichts Billiges', {}, 'search; query: Dirndl; min: 8000 EUR'],
  [
    'ich bräuchte 25 namensschilder zum anstecken',
    {},
    'search; query: namensschilder zum anstecken; quantity: 25',
  ],
  ['lego technic bei smyths', {}, 'search; query: lego technic; merchant: smyths'],
  ['sortier die mal so dass die besten oben stehen', { shown: mixers }, 'refine; sort: rating'],
  ['bei welchem muss ich am wenigsten lang warten', { shown: bikes }, 'compare; by: delivery'],
  [
    'halt stopp ich meinte natürlich die cremefarbene',
    { shown: mixers, hasSubject: true, asked: 'whether' },
    'show; which: options; options: cream',
  ],
  [
    'Zeig mir Tassen und dann auch noch Untersetzer',
    {},
    'search; query: Tassen + search; query: Untersetzer',
  ],
  ['hallo? wo zum teufel bleibt meine bestellung', { hasPurchase: true }, 'follow'],
  ['Ich wünsche, mit einem Mitarbeiter zu sprechen', {}, 'refuse; what: person'],
  ['Gern, nur zu.', { shown: mixers, hasSubject: true, asked: 'whether' }, 'yes'],
  ['Können Sie mir erklären, wie das hier funktioniert?', {}, 'help'],
  [
    'Wanderhose bitte, Preis zwischen vierzig und siebzig Euro',
    {},
    'search; query: Wanderhose; max: 7000 EUR; min: 4000 EUR',
  ],
  ['bikini in xs, gern neongelb', {}, 'search; query: bikini; options: neon yellow XS'],
  ['pampers größe 4 von rossmann', {}, 'search; query: pampers; options: 4; merchant: rossmann'],
  ['der gelbe da, mehr infos', { shown: bags }, 'show; which: options; options: yellow'],
  ['Vergleichen Sie die beiden ersten bitte', { shown: vacuums }, 'compare; by: price'],
  [
    'Könntest du für mich bitte zwei Tickets... äh zwei Taschenlampen kaufen',
    {},
    'buy; query: Taschenlampen; quantity: 2',
  ],
  [
    'Ich suche ein Zelt und außerdem noch einen Campingkocher',
    {},
    'search; query: Zelt + search; query: Campingkocher',
  ],
  ['die schwarze variante', { hasSubject: true, asked: 'color' }, 'adjust; options: black'],
  ['Gibt es eine Telefonnummer, unter der ich jemanden erreiche?', {}, 'refuse; what: person'],
  ['kaufen? bei dem preis? nie im leben', { shown: vacuums, hasSubject: true }, 'no'],
  ['super hast du gemacht danke', { shown: bags, hasSubject: true }, 'thank'],
  ['der kleine wächst so schnell, wir brauchen schon wieder neue schuhe', {}, 'search; query: schuhe'],
  ['lila yogamatte', {}, 'search; query: yogamatte; options: purple'],
  [
    'ich bräuchte so ungefähr dreißig stühle für eine feier',
    {},
    'search; query: stühle für eine feier; quantity: 30',
  ],
  ['erzähl mir was über den zweiten von oben', { shown: tvs }, 'show; which: place 2'],
  ['zeig mir noch mehr davon', { shown: mugs }, 'refine; more'],
  ['der samsung solls werden, einmal kaufen bitte', { shown: tvs }, 'buy; which: words samsung; quantity: 1'],
  [
    'ich meine den grauen, nicht den schwarzen',
    { shown: tvs, hasSubject: true, asked: 'whether' },
    'show; which: options; options: gray',
  ],
  ['am besten echtes leder', { hasSubject: true, asked: 'material' }, 'adjust; options: leather'],
  ['mach die bestellung rückgängig bitte!!!', { hasPurchase: true }, 'cancel'],
  ['den hisense nehm ich ganz bestimmt nicht', { shown: tvs }, 'no'],
  ['Einverstanden, machen Sie das.', { shown: tvs, hasSubject: true, asked: 'whether' }, 'yes'],
]

test.each(examples)('%s', (says, after, means) => {
  const { language, wishes } = understand(says, { ...first, ...after })
  expect([language, wishes.map(told).join(' + ')]).toEqual(['de', means])
})
