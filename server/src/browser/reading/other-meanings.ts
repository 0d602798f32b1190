import type { Field } from './words/shop-words.ts'
import { type Match, tokensOf } from './words/words.ts'

/**
 * Words that make of a number, a card, a code or a name another one than the buyer's: `loyalty card number`, `numéro de client`,
 * `mother's maiden name`. They are of all languages: a page that says such a thing says it beside words that are known.
 */
const ofNumbers =
  wordsOf(`loyalty gift member members membership club reward rewards bonus points frequent flyer flier student library
  staff employee tax vat ein ssn itin passport licence license driver drivers identification identity national insurance registration
  reference customer client account order invoice serial policy contract gate access intercom buzzer entry sort routing iban bic swift po
  fax pager extension ext issue start from birth travel fuel store coupon voucher ticket booking meter medical health patient voter
  company vehicle plate party guests people children pieces items coupon donor promo referral sponsor affiliate dealer partner tracking
  kunde kunden kundenkarte mitglied mitglieds steuer ausweis personalausweis treue bonuskarte geschenk auftrag auftrags rechnungs vorgangs versicherung
  fidelite fidelidade fidelidad fedelta cadeau adherent client membre siret siren tva commande passeport securite secu identite etudiant
  socio cliente regalo identificacion identidad nif nie dni cif fiscal iva pasaporte pedido documento cedula rut curp rfc
  tessera codice partita documento ordine presente cpf cnpj rg inscricao contribuinte passaporte
  klant lid spaarpas btw kvk bsn bestelling paspoort cadeaukaart
  nip pesel regon klienta zamowienia dowodu stalego podarunkowa czlonka
  medlem medlems kund org organisations person personnummer presentkort
  会 員 税 客 顧 証 券 伝 票`)
const ofPeople =
  wordsOf(`fax pager extension ext maiden middle pet dog cat mother father mom dad spouse emergency friend friends referrer sender gift giver user login nick
  nickname school company pup child baby team engraving monogram band host event product birth origin nationality citizenship issued
  geburts haustier mutter benutzer jeune fille naissance utilisateur soltera nacimiento usuario nascita utente nascimento usuario
  geboorte gebruikers urodzenia uzytkownika panienskie fodelse fodd 誕 生`)

const numbers: ReadonlySet<Field> = new Set(['house_number', 'card_number', 'card_code'])
const containers = wordsOf(
  'customer client account order invoice user guest guests registration booking company product host event',
)

const dates: ReadonlySet<Field> = new Set(['card_expiry', 'card_expiry_month', 'card_expiry_year'])
const people: ReadonlySet<Field> = new Set([
  'full_name',
  'first_name',
  'last_name',
  'email',
  'phone',
  'city',
  'country',
  'state',
])

/** Whether words beside a phrase say that it means something else. In the names of programs some only say whose form it is. */
export function isOfSomethingElse(
  tokens: readonly string[],
  { key, start, length }: Match<Field | 'other'>,
  isOfProgram: boolean,
): boolean {
  if (key === 'other') return true
  const beside = tokens.filter(
    (word, at) => (at < start || at >= start + length) && !(isOfProgram && containers.has(word)),
  )
  if ((numbers.has(key) || dates.has(key)) && beside.some((word) => ofNumbers.has(word))) return true
  return people.has(key) && beside.some((word) => ofPeople.has(word))
}

/** One word such as `number` or `name` says something only where no word that is not understood stands beside it. */
export function isExplained(text: string, { start, length }: Match<Field | 'other'>): boolean {
  const tokens = tokensOf(text)
  const inBrackets = new Set(tokensOf([...text.matchAll(/[([（【][^)\]）】]*[)\]）】]/gu)].join(' ')))
  return tokens.every(
    (word, at) =>
      (at >= start && at < start + length) ||
      plain.has(word) ||
      inBrackets.has(word) ||
      /^\p{N}+$/u.test(word),
  )
}

/** What is said beside every name of a field. */
const plain =
  wordsOf(`your the a an of to for in on and or please enter type here required optional must mandatory full contact customer buyer
  recipient receiver delivery shipping billing ship bill home my is as it shown appears written with no street house building card credit debit
  postal mailing permanent residential residence current complete exact po p o box line first
  bank visa mastercard amex payment the n nr digit digits e g eg
  ihr ihre ihren der die das des und oder bitte eingeben pflichtfeld optional kontakt kunde liefer rechnungs haus strasse auf
  postale complete
  votre vos le la les de du des l d et ou obligatoire facultatif facture livraison sur rue voie
  postal completa
  su tu el los las del y o obligatorio opcional envio facturacion calle casa exterior
  completo residenza recapito
  il lo gli della dello e di obbligatorio facoltativo opzionale spedizione fatturazione via casa civico
  uw je jouw het een en verplicht optioneel huis straat
  completo completa
  seu sua os as do da dos das ou obrigatorio opcional entrega rua casa
  twoje i lub wymagane opcjonalne domu ulica budynku
  din ditt och eller obligatoriskt valfritt hus gata
  ご お 必 須 任 意 様 の`)

function wordsOf(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/u).flatMap((word) => tokensOf(word)))
}
