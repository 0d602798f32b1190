/** What the loader itself says to people: the name of the frame for who does not see it, and that there is none. */
const words: Readonly<Record<string, { readonly title: string; readonly missing: string }>> = {
  en: { title: 'Card details', missing: 'The card form cannot be shown at the moment. Try again later.' },
  de: {
    title: 'Kartendaten',
    missing: 'Das Kartenformular kann gerade nicht angezeigt werden. Versuchen Sie es später noch einmal.',
  },
  fr: {
    title: 'Informations de carte',
    missing: 'Le formulaire de carte ne peut pas être affiché pour le moment. Réessayez plus tard.',
  },
  es: {
    title: 'Datos de la tarjeta',
    missing: 'El formulario de tarjeta no se puede mostrar en este momento. Inténtelo más tarde.',
  },
  it: {
    title: 'Dati della carta',
    missing: 'Al momento il modulo della carta non può essere mostrato. Riprovi più tardi.',
  },
  nl: {
    title: 'Kaartgegevens',
    missing: 'Het kaartformulier kan op dit moment niet worden getoond. Probeer het later opnieuw.',
  },
  pt: {
    title: 'Dados do cartão',
    missing: 'Não é possível mostrar o formulário do cartão neste momento. Tente mais tarde.',
  },
  ja: {
    title: 'カード情報',
    missing: '現在カード入力フォームを表示できません。しばらくしてからもう一度お試しください。',
  },
}

const english = words.en

export function wordsFor(locale: string | null): { readonly title: string; readonly missing: string } {
  const language = (locale ?? navigator.language).slice(0, 2).toLowerCase()
  const found = Object.hasOwn(words, language) ? words[language] : english
  return found ?? { title: '', missing: '' }
}
