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
  'Bialetti Moka Express cafetière italienne noire 3 tasses',
  'Bodum Chambord cafetière à piston bleue 1 L',
  'Melitta Optima cafetière filtre rouge',
]
const list: Spoken = { shown }
const subject: Spoken = { shown, hasSubject: true }
const whether: Spoken = { shown, hasSubject: true, asked: 'whether' }
const bought: Spoken = { hasPurchase: true }

export const fr: Utterances = {
  search: [
    { says: 'Je cherche un sac à dos de randonnée', means: [search('sac à dos de randonnée')] },
    { says: 'Vous avez des lunettes de natation ?', means: [search('lunettes de natation')] },
    {
      says: "Il me faudrait un mixeur plongeant pour l'anniversaire de ma mère",
      means: [search('mixeur plongeant')],
    },
  ],
  capped: [
    {
      says: 'un casque bluetooth à moins de 60 €',
      means: [search('casque bluetooth', { max: money(6000, 'EUR') })],
    },
    {
      says: 'chaise de bureau, 1 299,50 euros maximum',
      means: [search('chaise de bureau', { max: money(129_950, 'EUR') })],
    },
    {
      says: 'Je voudrais une bouilloire entre 20 et 45 euros',
      means: [search('bouilloire', { min: money(2000, 'EUR'), max: money(4500, 'EUR') })],
    },
    {
      says: 'la tondeuse la moins chère possible, pas plus de 150',
      means: [search('tondeuse', { sort: 'price', max: money(15_000, null) })],
    },
  ],
  options: [
    {
      says: 'une robe noire en lin taille M',
      means: [search('robe', { options: { color: 'black', material: 'linen', size: 'M' } })],
    },
    {
      says: 'des baskets blanches en 38',
      means: [search('baskets', { options: { color: 'white', size: '38' } })],
    },
    {
      says: 'un pull en laine bleu, plutôt grand',
      means: [search('pull', { options: { material: 'wool', color: 'blue', size: 'large' } })],
    },
    {
      says: 'ça existe en vert ?',
      spoken: list,
      means: [refine({ options: { color: 'green' } })],
      or: [[adjust({ options: { color: 'green' } })]],
    },
  ],
  refine: [
    { says: "t'en as d'autres ?", spoken: list, means: [refine({ more: true })] },
    { says: 'plutôt moins de 40 euros', spoken: list, means: [refine({ max: money(4000, 'EUR') })] },
    { says: 'uniquement sans plastique svp', spoken: list, means: [refine({ without: ['plastique'] })] },
    {
      says: "triez par prix s'il vous plaît",
      spoken: list,
      means: [refine({ sort: 'price' })],
      or: [[compare('price')]],
    },
  ],
  quantity: [
    { says: 'il me faut six verres à vin', means: [search('verres à vin', { quantity: 6 })] },
    {
      says: '2 serviettes de bain grises',
      means: [search('serviettes de bain', { quantity: 2, options: { color: 'gray' } })],
    },
    { says: 'mettez-en trois', spoken: whether, means: [adjust({ quantity: 3 })] },
    {
      says: 'une douzaine de balles de tennis à moins de 25 €',
      means: [search('balles de tennis', { quantity: 12, max: money(2500, 'EUR') })],
    },
  ],
  reference: [
    {
      says: 'la deuxième mais en rouge',
      spoken: list,
      means: [show(place(2), { color: 'red' })],
      or: [[adjust({ which: place(2), options: { color: 'red' } })]],
    },
    { says: "Dis-m'en plus sur la Bodum", spoken: list, means: [show(words('bodum'))] },
    { says: 'elle est comment, la dernière ?', spoken: list, means: [show(place(-1))] },
    { says: 'fais voir la bleue', spoken: list, means: [show(optioned, { color: 'blue' })] },
  ],
  compare: [
    {
      says: 'laquelle est la moins chère ?',
      spoken: list,
      means: [compare('price')],
      or: [[show(extreme('cheapest'))]],
    },
    {
      says: 'Laquelle a les meilleurs avis ?',
      spoken: list,
      means: [compare('rating')],
      or: [[show(extreme('best_rated'))]],
    },
    {
      says: 'et pour la livraison, laquelle arrive le plus vite',
      spoken: list,
      means: [compare('delivery')],
      or: [[show(extreme('fastest'))]],
    },
  ],
  buy: [
    {
      says: 'achète-moi un parapluie rouge à moins de 25 euros',
      means: [buy({ query: 'parapluie', options: { color: 'red' }, max: money(2500, 'EUR') })],
    },
    {
      says: 'Commandez trois boîtes de capsules de café, svp',
      means: [buy({ query: 'boîtes de capsules de café', quantity: 3 })],
      or: [[buy({ query: 'capsules de café', quantity: 3 })]],
    },
    {
      says: 'commande un grille-pain chez maisondeco.example',
      means: [buy({ query: 'grille-pain', merchant: 'maisondeco.example' })],
    },
    { says: 'Je prends la deuxième', spoken: list, means: [buy({ which: place(2) })] },
    { says: "ok je l'achète", spoken: subject, means: [buy({ which: it })] },
    {
      says: 'prends la moins chère en noir',
      spoken: list,
      means: [buy({ which: extreme('cheapest'), options: { color: 'black' } })],
    },
  ],
  change: [
    {
      says: 'non, plutôt la verte',
      spoken: whether,
      means: [adjust({ options: { color: 'green' } })],
      or: [
        [adjust({ which: optioned, options: { color: 'green' } })],
        [show(optioned, { color: 'green' })],
        [buy({ which: optioned, options: { color: 'green' } })],
      ],
    },
    { says: 'en fait je préfère en taille L', spoken: whether, means: [adjust({ options: { size: 'L' } })] },
    { says: 'attendez, finalement une seule suffira', spoken: whether, means: [adjust({ quantity: 1 })] },
    {
      says: 'laisse tomber les cafetières, montre-moi des théières',
      spoken: list,
      means: [search('théières')],
    },
  ],
  two: [
    {
      says: "j'ai besoin d'une tente et d'un sac de couchage",
      means: [search('tente'), search('sac de couchage')],
    },
    {
      says: 'cherche une lampe frontale à moins de 30 euros et commande la moins chère',
      means: [search('lampe frontale', { max: money(3000, 'EUR') }), buy({ which: extreme('cheapest') })],
    },
    { says: 'Merci ! Et mon colis, il en est où ?', spoken: bought, means: [thank, follow], or: [[follow]] },
    {
      says: 'annule ma commande et trouve-moi quelque chose de moins cher',
      spoken: { shown, hasPurchase: true },
      means: [cancel, refine({ cheaper: true })],
    },
  ],
  answer: [
    {
      says: 'du 40',
      spoken: { asked: 'size', hasSubject: true },
      means: [adjust({ options: { size: '40' } })],
    },
    {
      says: 'le noir ira très bien',
      spoken: { asked: 'color', hasSubject: true },
      means: [adjust({ options: { color: 'black' } })],
    },
    {
      says: 'deux ça suffit',
      spoken: { asked: 'quantity', hasSubject: true },
      means: [adjust({ quantity: 2 })],
    },
    {
      says: 'en coton de préférence',
      spoken: { asked: 'material', hasSubject: true },
      means: [adjust({ options: { material: 'cotton' } })],
    },
  ],
  after: [
    { says: 'où est mon colis ?', spoken: bought, means: [follow] },
    { says: 'Je souhaite annuler ma commande', spoken: bought, means: [cancel] },
    { says: 'elles sont trop petites, je veux les renvoyer', spoken: bought, means: [giveBack] },
    { says: "pourquoi ça n'a pas marché ?", spoken: bought, means: [why] },
    { says: 'réessaie', spoken: bought, means: [retry] },
  ],
  refusal: [
    { says: 'changez mon adresse de livraison svp', means: [refuse('address')] },
    { says: 'augmente mon plafond à 500 euros', means: [refuse('limit')] },
    { says: 'je veux parler à quelqu’un, un vrai conseiller', means: [refuse('person')] },
    { says: 'Je voudrais enregistrer une nouvelle carte bancaire', means: [refuse('card')] },
  ],
  not_buying: [
    { says: "ne l'achète pas", spoken: whether, means: [no], or: [[cancel]] },
    { says: "je l'ai déjà achetée hier", spoken: subject, means: [unclear], or: noWish },
    { says: "tu crois que je devrais l'acheter ?", spoken: subject, means: [show(it)], or: advice },
    {
      says: 'je ne veux rien commander pour le moment, je regarde',
      spoken: list,
      means: [no],
      or: [[unclear], [help]],
    },
  ],
  yes_no: [
    { says: 'ouais', spoken: whether, means: [yes] },
    { says: 'oui oui, vas-y', spoken: whether, means: [yes] },
    { says: 'nan', spoken: whether, means: [no] },
  ],
  small_talk: [
    { says: 'coucou', means: [greet] },
    { says: 'Tu sers à quoi exactement ?', means: [help] },
    { says: "c'est parfait, merci beaucoup !", spoken: subject, means: [thank] },
  ],
  slang: [
    {
      says: 'tas pas des pompes à moins de 50 balles stp',
      means: [search('pompes', { max: money(5000, 'EUR') })],
    },
    { says: 'trop cher frère', spoken: list, means: [refine({ cheaper: true })] },
    { says: 'jprends la 1ère', spoken: list, means: [buy({ which: place(1) })] },
  ],
  typos: [
    { says: 'je chreche un asprateur', means: [search('asprateur')] },
    { says: 'montre moi la deuxeime', spoken: list, means: [show(place(2))] },
    { says: 'ou est ma comande', spoken: bought, means: [follow] },
  ],
  letters: [
    {
      says: 'ecouteurs sans fil pas chers',
      means: [search('ecouteurs sans fil', { sort: 'price' })],
      or: [[search('ecouteurs', { sort: 'price', without: ['fil'] })]],
    },
    {
      says: 'je prefere la derniere',
      spoken: list,
      means: [show(place(-1))],
      or: [[adjust({ which: place(-1) })]],
    },
    { says: 'pourquoi ca a echoue', spoken: bought, means: [why] },
  ],
  polite: [
    {
      says: "Bonjour, auriez-vous l'amabilité de m'aider à trouver une cocotte en fonte, si possible à moins de soixante euros ? Je vous remercie d'avance.",
      means: [search('cocotte en fonte', { max: money(6000, 'EUR') })],
      or: [[search('cocotte', { max: money(6000, 'EUR'), options: { material: 'cast iron' } })]],
    },
    {
      says: 'Serait-il possible de savoir quand ma commande doit arriver, je vous prie ?',
      spoken: bought,
      means: [follow],
    },
    {
      says: "Si cela ne vous dérange pas, je la préférerais en marron et il m'en faudrait deux",
      spoken: whether,
      means: [adjust({ options: { color: 'brown' }, quantity: 2 })],
      or: [[adjust({ options: { color: 'brown' } }), adjust({ quantity: 2 })]],
    },
  ],
  dictation: [
    {
      says: 'alors euh il me faudrait une lampe de bureau blanche à moins de quarante euros et qui arrive vite',
      means: [
        search('lampe de bureau', { options: { color: 'white' }, max: money(4000, 'EUR'), sort: 'delivery' }),
      ],
    },
    {
      says: 'montre moi la troisième et dis moi laquelle est la mieux notée',
      spoken: list,
      means: [show(place(3)), compare('rating')],
      or: [[show(place(3)), show(extreme('best_rated'))]],
    },
    {
      says: 'ok commande la noire',
      spoken: list,
      means: [buy({ which: optioned, options: { color: 'black' } })],
    },
  ],
  currency: [
    {
      says: 'un vélo pliant pour moins de 800 francs suisses',
      means: [search('vélo pliant', { max: money(80_000, 'CHF') })],
    },
    {
      says: 'Avez-vous une souffleuse à neige à moins de 900 $ canadiens ?',
      means: [search('souffleuse à neige', { max: money(90_000, 'CAD') })],
    },
  ],
}
