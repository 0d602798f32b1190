import { expect, test } from 'vitest'
import type { Spoken } from '../../understood.ts'
import { told } from '../told.testing.ts'
import { understand } from '../understand.ts'

const shown: Readonly<Record<string, readonly string[]>> = {
  bikes: ['Lapierre vélo de ville vert 28 pouces', 'Btwin vélo pliant gris', 'Peugeot vélo électrique bleu'],
  headphones: [
    'Sony casque audio noir',
    'JBL casque sans fil rouge',
    'Marshall casque vintage marron',
    'Bose casque antibruit blanc',
  ],
  shoes: ['Nike baskets blanches', 'Adidas Gazelle vertes', 'Puma chaussures de running noires'],
  machines: [
    "De'Longhi machine à café argentée",
    'Philips machine à expresso noire',
    'Krups cafetière à grains rouge',
    'Melitta cafetière filtre blanche',
    'Nespresso Vertuo',
  ],
  lamps: ['Ikea lampadaire en bois', 'Philips lampe de bureau LED blanche', 'Artemide lampe de chevet dorée'],
  dresses: ['Zara robe longue bleue', 'Mango robe en lin beige', 'H&M robe à fleurs rouge'],
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
    'Mon petit-fils apprend la guitare. Je souhaiterais lui offrir un accordeur.',
    '',
    'search; query: accordeur',
  ],
  [
    "Je veux bien mettre jusqu'à cent vingt euros dans une bonne cafetière",
    '',
    'search; query: cafetière; max: 12000 EUR',
  ],
  ["c'est quoi l'autonomie du bose ?", 'headphones', 'show; which: words bose'],
  ["y a moyen d'avoir la même en vert ?", 'dresses, one of them', 'adjust; options: green'],
  ['le deuxième, tu me le commandes ?', 'bikes', 'buy; which: place 2'],
  ['Je vous en prends quatre, du dernier', 'lamps', 'buy; which: place -1; quantity: 4'],
  ['pour quelle raison ma carte a été refusée ?', 'bought', 'why'],
  ["d'habitude j'achète mes chaussures en magasin", 'shoes', 'unclear'],
  ["le tout premier que tu m'as montré il était comment déjà", 'lamps', 'show; which: place 1'],
  [
    'commande le gris puis cherche un antivol',
    'bikes',
    'buy; which: options; options: gray + search; query: antivol',
  ],
  // Round 2.
  ["Mon aspirateur vient de rendre l'âme. Que me conseillez-vous ?", '', 'search; query: aspirateur'],
  [
    'Leroy Merlin ils ont des perceuses pas chères ?',
    '',
    'search; query: perceuses; merchant: Leroy Merlin; sort: price',
  ],
  ['je voudrais des précisions sur la Krups', 'machines', 'show; which: words Krups'],
  ['la 2 elle est lavable en machine ?', 'dresses', 'show; which: place 2'],
  ['ok je craque pour la robe en lin, commande', 'dresses', 'buy; which: words robe; options: linen'],
  ['oublie la taille 42, je fais du 43', 'shoes, asked whether', 'adjust; options: 43'],
  ["qu'est-ce qui a planté avec mon paiement ?", 'bought', 'why'],
  ['envoyez-le plutôt chez ma mère à Lyon', 'bought', 'refuse; what: address'],
  ['je préfère acheter chez un petit commerçant', 'bikes', 'unclear'],
  ['Entre le Sony et le Bose, lequel est le mieux noté ?', 'headphones', 'compare; by: rating'],
  // Round 3.
  ["y'a quoi comme tondeuses à barbe", '', 'search; query: tondeuses à barbe'],
  ["j'organise un anniv samedi faut que je trouve des ballons et tout", '', 'search; query: ballons'],
  ['serviettes de plage 15€ pièce maximum', '', 'search; query: serviettes de plage; max: 1500 EUR'],
  [
    'dispo à la fnac le dernier album de stromae ?',
    '',
    'search; query: dernier album de stromae; merchant: fnac',
  ],
  ['celle en lin ça se repasse facilement ?', 'dresses', 'show; which: options; options: linen'],
  ['Au lieu du casque, je préfère des écouteurs', 'headphones', 'search; query: écouteurs'],
  [
    'montre-moi le troisième et dis-moi quand ma commande arrive',
    'machines, bought',
    'show; which: place 3 + follow',
  ],
  ["c'est exactement ce que je veux !", 'dresses, asked whether', 'yes'],
  ["Veuillez procéder à l'achat du premier article", 'lamps', 'buy; which: place 1'],
  ["j'peux pas mettre plus de 90 dans une veste de ski", '', 'search; query: veste de ski; max: 9000 any'],
  // Round 4.
  [
    "Mes voisins font un boucan pas possible, il me faut des bouchons d'oreilles",
    '',
    "search; query: bouchons d'oreilles",
  ],
  [
    "mon budget c'est 45 euros et je voudrais un bouquet de fleurs séchées",
    '',
    'search; query: bouquet de fleurs séchées; max: 4500 EUR',
  ],
  [
    'pas envie de dépenser plus de 20 euros pour une housse de téléphone',
    '',
    'search; query: housse de téléphone; max: 2000 EUR',
  ],
  ["tu l'aurais pas en 46 par hasard", 'shoes, one of them', 'refine; options: 46'],
  ['quel vélo arrive le plus vite chez moi', 'bikes', 'compare; by: delivery'],
  [
    "c'est décidé, je prends la robe à fleurs en 38",
    'dresses',
    'buy; which: words robe à fleurs; options: 38',
  ],
  ['achète le rouge et le noir', 'headphones', 'buy; which: options; options: black'],
  ['le vase est arrivé en mille morceaux je fais quoi', 'bought', 'return; which: words vase'],
  ['elle voulait que je prenne le rouge', 'headphones', 'unclear'],
  ['monte ma limite à 1000', '', 'refuse; what: limit'],
] as const)('%s (after %s) is: %s', (says, after, means) => {
  const { language, wishes } = understand(says, spokenOf(after))
  expect([language, wishes.map(told).join(' + ')]).toEqual(['fr', means])
})
