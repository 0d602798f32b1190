import type { WindowSentences } from './sentences.ts'

export const fr: WindowSentences = {
  loading: 'Un instant…',
  askedBy: (site) => `Demandé par ${site}`,
  confirmPayment: 'Confirmer un paiement',
  makePasskey: 'Créer une clé d’accès pour votre carte',
  confirmCard: 'Confirmer votre carte',
  passkeyText:
    'Avec une clé d’accès sur cet appareil, vous confirmez vos achats par empreinte, visage ou code PIN.',
  bankText: 'Votre banque demande sur sa propre page si c’est bien vous. Vous revenez ensuite ici.',
  shop: 'Marchand',
  atMost: 'Au maximum',
  card: 'Carte',
  usePasskey: 'Confirmer avec la clé d’accès',
  createPasskey: 'Créer la clé d’accès',
  confirm: 'Continuer vers votre banque',
  refuse: 'Non',
  working: 'En attente de votre appareil…',
  proven: 'Confirmé',
  provenText: (site) => `Fermez cette fenêtre et continuez sur ${site}.`,
  refused: 'Non confirmé',
  refusedText: (site) => `Rien n’a été payé. Fermez cette fenêtre ; vous pouvez réessayer sur ${site}.`,
  over: 'Cette fenêtre n’est plus valable',
  overText:
    'Elle a été utilisée ou a attendu trop longtemps. Fermez-la et recommencez sur la page d’où vous venez.',
  noPasskeys: 'Ce navigateur ne connaît pas les clés d’accès',
  noPasskeysText:
    'Ouvrez la page d’où vous venez dans un navigateur récent, sur un appareil avec verrouillage d’écran, ou payez avec une autre carte.',
  tryAgain: 'Réessayer',
  offline: 'Pas de connexion. Vérifiez que vous êtes en ligne, puis réessayez.',
  close: 'Fermer la fenêtre',
  testBank: 'Mode test : la banque est celle du bac à sable.',
}
