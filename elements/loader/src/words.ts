import type { ComponentName } from './components.ts'

/** What the loader itself says to people: the name of the frame for who does not see it, and that there is none. */
type LoaderWords = { readonly titles: Readonly<Record<ComponentName, string>>; readonly missing: string }

const english: LoaderWords = {
  titles: titles('Card details', 'Payment method', 'Sign-in at the shop'),
  missing: 'This form cannot be shown at the moment. Try again later.',
}

const words: Readonly<Record<string, LoaderWords>> = {
  en: english,
  de: {
    titles: titles('Kartendaten', 'Zahlungsmittel', 'Anmeldung beim Shop'),
    missing: 'Dieses Formular kann gerade nicht angezeigt werden. Versuchen Sie es später noch einmal.',
  },
  fr: {
    titles: titles('Informations de carte', 'Moyen de paiement', 'Connexion à la boutique'),
    missing: 'Ce formulaire ne peut pas être affiché pour le moment. Réessayez plus tard.',
  },
  es: {
    titles: titles('Datos de la tarjeta', 'Método de pago', 'Inicio de sesión en la tienda'),
    missing: 'Este formulario no se puede mostrar en este momento. Inténtelo más tarde.',
  },
  it: {
    titles: titles('Dati della carta', 'Metodo di pagamento', 'Accesso al negozio'),
    missing: 'Al momento questo modulo non può essere mostrato. Riprovi più tardi.',
  },
  nl: {
    titles: titles('Kaartgegevens', 'Betaalmiddel', 'Inloggen bij de winkel'),
    missing: 'Dit formulier kan op dit moment niet worden getoond. Probeer het later opnieuw.',
  },
  pt: {
    titles: titles('Dados do cartão', 'Meio de pagamento', 'Início de sessão na loja'),
    missing: 'Não é possível mostrar este formulário neste momento. Tente mais tarde.',
  },
  ja: {
    titles: titles('カード情報', 'お支払い方法', 'ショップへのログイン'),
    missing: '現在このフォームを表示できません。しばらくしてからもう一度お試しください。',
  },
}

function titles(add: string, select: string, signIn: string): LoaderWords['titles'] {
  return { AddPaymentMethod: add, AddOrSelectPaymentMethod: select, MerchantAuthHandoff: signIn }
}

export function wordsFor(locale: string | null): LoaderWords {
  const language = (locale ?? navigator.language).slice(0, 2).toLowerCase()
  return (Object.hasOwn(words, language) ? words[language] : undefined) ?? english
}
