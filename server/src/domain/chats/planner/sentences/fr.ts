import type { Sentences } from './sentences.ts'

export const fr: Sentences = {
  found: (count) => `J’en ai trouvé ${count} qui conviennent.`,
  foundOne: (title, price) => `J’en ai trouvé un : ${title}, ${price}.`,
  nothing: (query) => `Je n’ai rien trouvé pour « ${query} ». Essaie d’autres mots ou moins de conditions.`,
  nothingCheaper: 'Je n’ai rien trouvé de moins cher.',
  nothingMore: 'Je n’en ai pas trouvé d’autres.',
  noneLikeThat: (wanted) => `Aucun n’existe en ${wanted}. Voici ce qu’il y a.`,
  which: 'Lequel veux-tu ?',
  onlyShown: (count) => `Je t’en ai montré ${count}. Duquel parles-tu ?`,
  detail: (title, price, merchant) => `${title} coûte ${price} chez ${merchant}.`,
  options: (name, values) => `${name} : ${values}.`,
  shallI: 'Est-ce que je l’achète ?',
  askOption: (title, name, values) => `${title} : quel choix pour « ${name} » ? Il y a ${values}.`,
  notInOption: (title, wanted, values) => `${title} n’existe pas en ${wanted}. Il y a ${values}.`,
  soldOut: (title) => `${title} n’est pas disponible pour le moment.`,
  notBuyable: (title) => `Je ne peux pas acheter ${title} : la boutique ne le vend pas de cette façon.`,
  needsInput: (title, labels) =>
    `Pour ${title}, la boutique doit en savoir plus : ${labels}. Je ne peux pas le saisir ici.`,
  overBudget: (title, price) =>
    `${title} coûte ${price}, plus que ce que tu veux dépenser. Je ne l’ai pas acheté.`,
  otherCurrency: (title, price) =>
    `${title} coûte ${price}. Ta limite est dans une autre monnaie, je ne peux pas comparer : je ne l’ai pas acheté.`,
  approve: (title, merchant, cap) =>
    `${title} de ${merchant} : ${cap} au plus, livraison et taxes comprises. Je ne peux pas l’approuver. Fais-le avec le bouton.`,
  payFirst: (title) => `Il manque un moyen de paiement pour ${title}. Choisis-en un avec le bouton.`,
  needsPerson: (title) => `${title} t’attend. Continue avec le bouton.`,
  buying: (title) => `J’achète ${title}. Je te préviens ici quand c’est fait.`,
  bought: (title, amount) => `${title} est acheté. ${amount} ont été débités.`,
  failed: (title, reason) => `${title} n’a pas été acheté : ${reason}`,
  cancelled: (title) => `L’achat de ${title} est annulé.`,
  declined: (title) => `L’achat de ${title} a été refusé. Rien n’a été acheté.`,
  approvedByPerson: 'Un message n’approuve pas un achat. Utilise le bouton.',
  alreadyAsked:
    'Cet achat attend déjà ton accord et ne change plus. Annule-le d’abord, puis dis-moi ce que tu veux.',
  noPurchase: 'Il n’y a pas encore d’achat.',
  cannotReturn: (merchant) =>
    `Je ne peux rien renvoyer. Demande à ${merchant} : la boutique dit comment elle reprend les articles.`,
  sortedByPrice: 'Les voici par prix, du moins cher au plus cher.',
  noRatings: 'Les boutiques ne me donnent pas d’avis, je ne peux pas comparer ainsi.',
  noDelivery: 'Une boutique ne dit le délai de livraison que lorsqu’on lui demande son prix final.',
  nothingShown: 'Je ne t’ai encore rien montré. Que cherches-tu ?',
  refused: {
    address: 'Je ne peux pas changer d’adresse. Fais-le là où tu gères ton profil.',
    card: 'Je ne peux ni ajouter ni changer de carte. Fais-le là où tu gères ton profil.',
    limit: 'Je ne peux pas changer les limites. Seule une personne qui gère ce compte le peut.',
    person:
      'Je ne peux pas te mettre en relation avec quelqu’un. Je suis des règles et je sais seulement acheter.',
    other: 'Je sais seulement acheter : chercher des produits, les acheter et dire où en est un achat.',
  },
  greet: 'Bonjour ! Que cherches-tu ?',
  thank: 'Avec plaisir.',
  help: 'Je cherche des produits, je les compare par prix, j’achète ce que tu choisis et je te dis où cela en est. Je suis des règles ; je ne suis pas une personne. Ce qui demande ton accord, tu l’approuves avec un bouton.',
  unclear: 'Je n’ai pas compris. Dis-moi ce que tu cherches, par exemple « une bouilloire à moins de 40 € ».',
  fine: 'D’accord.',
  toolFailed: (message) => `Cela n’a pas marché : ${message}`,
  notices: {
    stopped: 'Arrêté.',
    key_ended: 'Cette discussion ne peut plus agir pour toi : la clé de ton application a pris fin.',
    frozen: 'Les achats sont bloqués ici pour le moment. Une personne qui gère ce compte peut y mettre fin.',
    too_many_steps: 'Je m’arrête ici : il fallait trop d’étapes. Demande moins à la fois.',
    too_long: 'Je m’arrête ici : cela a pris trop de temps. Essaie encore.',
    too_many_tokens: 'Je m’arrête ici : cette réponse est devenue trop longue. Demande moins à la fois.',
    tokens_of_day_used:
      'Ce que ce compte peut utiliser aujourd’hui de son modèle de langage est épuisé. Réessaie demain.',
    cost_of_day_used:
      'Ce que ce compte peut dépenser aujourd’hui pour son modèle de langage est dépensé. Réessaie demain.',
    internal_error: 'Quelque chose a échoué chez nous. Écris encore une fois.',
    amount_not_known: '[Une phrase manque ici : elle nommait un montant qu’aucun produit ni achat n’a ici.]',
    model_unavailable: 'Le modèle de langage ne répond pas pour le moment. Réessaie plus tard.',
    model_overloaded: 'Le modèle de langage est surchargé. Réessaie dans une minute.',
    model_unreadable: 'Le modèle de langage a répondu quelque chose d’illisible. Réessaie.',
  },
}
