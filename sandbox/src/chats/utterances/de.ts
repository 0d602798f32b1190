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
  'Osprey Daylite Rucksack schwarz 13 L',
  'Deuter Speed Lite Wanderrucksack blau 21 L',
  'Vaude Brenta Trekkingrucksack grün 30 L',
]
const list: Spoken = { shown }
const subject: Spoken = { shown, hasSubject: true }
const whether: Spoken = { shown, hasSubject: true, asked: 'whether' }
const bought: Spoken = { hasPurchase: true }

export const de: Utterances = {
  search: [
    { says: 'Ich suche eine Regenjacke', means: [search('Regenjacke')] },
    { says: 'Habt ihr Lesebrillen?', means: [search('Lesebrillen')] },
    { says: 'Ich bräuchte für meine Mutter zum Geburtstag eine Teekanne', means: [search('Teekanne')] },
  ],
  capped: [
    {
      says: 'kopfhörer mit noise cancelling unter 150 euro',
      means: [search('kopfhörer mit noise cancelling', { max: money(15_000, 'EUR') })],
      or: [[search('kopfhörer noise cancelling', { max: money(15_000, 'EUR') })]],
    },
    {
      says: 'Suche Bürostuhl bis max. 1.299,00 €',
      means: [search('Bürostuhl', { max: money(129_900, 'EUR') })],
    },
    {
      says: 'Fahrradhelm zwischen 40 und 80 €',
      means: [search('Fahrradhelm', { min: money(4000, 'EUR'), max: money(8000, 'EUR') })],
    },
    {
      says: 'Was ist der günstigste Wasserkocher, den ihr habt? Er darf höchstens 29,90 kosten',
      means: [search('Wasserkocher', { sort: 'price', max: money(2990, null) })],
    },
  ],
  options: [
    {
      says: 'Winterstiefel in Größe 42, braun',
      means: [search('Winterstiefel', { options: { size: '42', color: 'brown' } })],
    },
    {
      says: 'ein schwarzes T-Shirt aus Baumwolle in XL',
      means: [search('T-Shirt', { options: { color: 'black', material: 'cotton', size: 'XL' } })],
    },
    {
      says: 'Thermosflasche 1,5 Liter in Grün bitte',
      means: [search('Thermosflasche', { options: { size: '1.5 L', color: 'green' } })],
    },
    {
      says: 'gibt es die auch in blau?',
      spoken: list,
      means: [refine({ options: { color: 'blue' } })],
      or: [[adjust({ options: { color: 'blue' } })]],
    },
  ],
  refine: [
    { says: 'habt ihr noch andere?', spoken: list, means: [refine({ more: true })] },
    { says: 'Lieber was unter 60 Euro', spoken: list, means: [refine({ max: money(6000, 'EUR') })] },
    { says: 'bitte nur welche ohne Hüftgurt', spoken: list, means: [refine({ without: ['hüftgurt'] })] },
    {
      says: 'Gibts das auch bei bergzeit.example?',
      spoken: list,
      means: [refine({ merchant: 'bergzeit.example' })],
    },
  ],
  quantity: [
    { says: 'Ich brauche vier Weingläser', means: [search('Weingläser', { quantity: 4 })] },
    {
      says: '2 weiße Kissenbezüge',
      means: [search('Kissenbezüge', { quantity: 2, options: { color: 'white' } })],
    },
    { says: 'Davon bitte drei Stück', spoken: whether, means: [adjust({ quantity: 3 })] },
    {
      says: 'ein Dutzend Golfbälle unter 20 Euro',
      means: [search('Golfbälle', { quantity: 12, max: money(2000, 'EUR') })],
    },
  ],
  reference: [
    {
      says: 'Den zweiten, aber in Rot',
      spoken: list,
      means: [show(place(2), { color: 'red' })],
      or: [[adjust({ which: place(2), options: { color: 'red' } })]],
    },
    { says: 'Erzähl mir mehr über den Deuter', spoken: list, means: [show(words('deuter'))] },
    { says: 'Wie ist denn der letzte so?', spoken: list, means: [show(place(-1))] },
    { says: 'zeig mir den blauen', spoken: list, means: [show(optioned, { color: 'blue' })] },
  ],
  compare: [
    {
      says: 'Welcher davon ist am günstigsten?',
      spoken: list,
      means: [compare('price')],
      or: [[show(extreme('cheapest'))]],
    },
    { says: 'Vergleich die mal nach Bewertung', spoken: list, means: [compare('rating')] },
    {
      says: 'Welcher ist am schnellsten da?',
      spoken: list,
      means: [compare('delivery')],
      or: [[show(extreme('fastest'))]],
    },
  ],
  buy: [
    {
      says: 'Kauf mir einen roten Regenschirm für unter 25 Euro',
      means: [buy({ query: 'Regenschirm', options: { color: 'red' }, max: money(2500, 'EUR') })],
    },
    {
      says: 'bestell bitte 3 Packungen Spülmaschinentabs',
      means: [buy({ query: 'Packungen Spülmaschinentabs', quantity: 3 })],
      or: [[buy({ query: 'Spülmaschinentabs', quantity: 3 })]],
    },
    {
      says: 'Bestellen Sie mir bitte einen Toaster bei kuechenwelt.example',
      means: [buy({ query: 'Toaster', merchant: 'kuechenwelt.example' })],
    },
    { says: 'Ich nehme den zweiten', spoken: list, means: [buy({ which: place(2) })] },
    { says: 'Gut, den kaufen wir', spoken: subject, means: [buy({ which: it })] },
    {
      says: 'nimm den billigsten in schwarz',
      spoken: list,
      means: [buy({ which: extreme('cheapest'), options: { color: 'black' } })],
    },
  ],
  change: [
    {
      says: 'Nein, doch lieber den grünen',
      spoken: whether,
      means: [adjust({ options: { color: 'green' } })],
      or: [
        [adjust({ which: optioned, options: { color: 'green' } })],
        [show(optioned, { color: 'green' })],
        [buy({ which: optioned, options: { color: 'green' } })],
      ],
    },
    { says: 'ach ne, mach doch Größe L draus', spoken: whether, means: [adjust({ options: { size: 'L' } })] },
    { says: 'Moment, ich hab mich vertan, nur einen', spoken: whether, means: [adjust({ quantity: 1 })] },
    { says: 'vergiss die Rucksäcke, zeig mir lieber Koffer', spoken: list, means: [search('Koffer')] },
  ],
  two: [
    { says: 'Ich brauche ein Zelt und eine Isomatte', means: [search('Zelt'), search('Isomatte')] },
    {
      says: 'Such eine Stirnlampe unter 30 Euro und bestell gleich die günstigste',
      means: [search('Stirnlampe', { max: money(3000, 'EUR') }), buy({ which: extreme('cheapest') })],
    },
    {
      says: 'Danke! Und wo ist meine Bestellung gerade?',
      spoken: bought,
      means: [thank, follow],
      or: [[follow]],
    },
    {
      says: 'Storniere das bitte und such mir was Billigeres',
      spoken: { shown, hasPurchase: true },
      means: [cancel, refine({ cheaper: true })],
    },
  ],
  answer: [
    { says: '43', spoken: { asked: 'size', hasSubject: true }, means: [adjust({ options: { size: '43' } })] },
    {
      says: 'Dann nehm ich Schwarz',
      spoken: { asked: 'color', hasSubject: true },
      means: [adjust({ options: { color: 'black' } })],
      or: [[buy({ options: { color: 'black' } })]],
    },
    {
      says: 'zwei reichen',
      spoken: { asked: 'quantity', hasSubject: true },
      means: [adjust({ quantity: 2 })],
    },
    {
      says: 'aus Leder, wenn das geht',
      spoken: { asked: 'material', hasSubject: true },
      means: [adjust({ options: { material: 'leather' } })],
    },
  ],
  after: [
    { says: 'Wo bleibt mein Paket?', spoken: bought, means: [follow] },
    { says: 'Ich möchte die Bestellung stornieren', spoken: bought, means: [cancel] },
    { says: 'Die Schuhe passen nicht, die will ich zurückschicken', spoken: bought, means: [giveBack] },
    { says: 'Warum hat das nicht geklappt?', spoken: bought, means: [why] },
    { says: 'versuchs nochmal', spoken: bought, means: [retry] },
  ],
  refusal: [
    { says: 'erhöhe mein Limit auf 500 Euro', means: [refuse('limit')] },
    { says: 'Bitte ändern Sie meine Lieferadresse', means: [refuse('address')] },
    { says: 'ich will mit einem Menschen sprechen', means: [refuse('person')] },
    { says: 'Ich hab eine neue Kreditkarte, trag die mal ein', means: [refuse('card')] },
  ],
  not_buying: [
    { says: 'kauf das nicht!', spoken: whether, means: [no], or: [[cancel]] },
    { says: 'den hab ich gestern schon gekauft', spoken: subject, means: [unclear], or: noWish },
    { says: 'Soll ich den kaufen?', spoken: subject, means: [show(it)], or: advice },
    {
      says: 'Ich will noch nichts bestellen, ich schau nur',
      spoken: list,
      means: [no],
      or: [[unclear], [help]],
    },
  ],
  yes_no: [
    { says: 'jo', spoken: whether, means: [yes] },
    { says: 'ja klar, mach das', spoken: whether, means: [yes] },
    { says: 'nee', spoken: whether, means: [no] },
  ],
  small_talk: [
    { says: 'Grüezi', means: [greet] },
    { says: 'Was kannst du eigentlich alles?', means: [help] },
    { says: 'super, vielen lieben Dank dir', spoken: subject, means: [thank] },
  ],
  slang: [
    {
      says: 'haste mal ne geile Sonnenbrille für nen Zwanni',
      means: [search('Sonnenbrille', { max: money(2000, 'EUR') })],
      or: [
        [search('geile Sonnenbrille', { max: money(2000, 'EUR') })],
        [search('Sonnenbrille', { max: money(2000, null) })],
      ],
    },
    { says: 'boah zu teuer alter', spoken: list, means: [refine({ cheaper: true })] },
    { says: 'den ersten hol ich mir', spoken: list, means: [buy({ which: place(1) })] },
  ],
  typos: [
    { says: 'ich such einen Stuabsauger', means: [search('Stuabsauger')] },
    { says: 'zeig mir den zwieten', spoken: list, means: [show(place(2))] },
    { says: 'wo ist meine bestelung', spoken: bought, means: [follow] },
  ],
  letters: [
    {
      says: 'gruene muetze fuer kinder',
      means: [search('muetze fuer kinder', { options: { color: 'green' } })],
      or: [
        [search('muetze kinder', { options: { color: 'green' } })],
        [search('muetze', { options: { color: 'green' } })],
      ],
    },
    {
      says: 'koennen sie mir bitte die guenstigste zeigen',
      spoken: list,
      means: [show(extreme('cheapest'))],
    },
    { says: 'ich moechte das zurueckgeben', spoken: bought, means: [giveBack] },
  ],
  polite: [
    {
      says: 'Guten Tag, ich hoffe, Sie können mir weiterhelfen: Ich wäre auf der Suche nach einer gusseisernen Pfanne, wenn möglich nicht teurer als sechzig Euro. Vielen Dank im Voraus!',
      means: [search('gusseisernen Pfanne', { max: money(6000, 'EUR') })],
      or: [
        [search('gusseiserne Pfanne', { max: money(6000, 'EUR') })],
        [search('Pfanne', { max: money(6000, 'EUR'), options: { material: 'cast iron' } })],
      ],
    },
    {
      says: 'Könnten Sie mir freundlicherweise sagen, wann meine Lieferung voraussichtlich eintrifft?',
      spoken: bought,
      means: [follow],
    },
    {
      says: 'Wenn es Ihnen nichts ausmacht, hätte ich den zweiten gerne doch in Braun',
      spoken: list,
      means: [show(place(2), { color: 'brown' })],
      or: [
        [adjust({ which: place(2), options: { color: 'brown' } })],
        [buy({ which: place(2), options: { color: 'brown' } })],
      ],
    },
  ],
  dictation: [
    {
      says: 'also ich brauche eine schreibtischlampe in weiß unter vierzig euro und sie sollte schnell da sein',
      means: [
        search('schreibtischlampe', {
          options: { color: 'white' },
          max: money(4000, 'EUR'),
          sort: 'delivery',
        }),
      ],
    },
    {
      says: 'ähm zeig mir mal den dritten und sag mir welcher die besten bewertungen hat',
      spoken: list,
      means: [show(place(3)), compare('rating')],
      or: [[show(place(3)), show(extreme('best_rated'))]],
    },
    {
      says: 'okay dann bestell den grünen für mich',
      spoken: list,
      means: [buy({ which: optioned, options: { color: 'green' } })],
    },
  ],
  currency: [
    { says: "Ein E-Bike für unter CHF 1'500.–", means: [search('E-Bike', { max: money(150_000, 'CHF') })] },
    {
      says: 'Wanderstöcke, maximal 80 Franken',
      means: [search('Wanderstöcke', { max: money(8000, 'CHF') })],
    },
  ],
}
