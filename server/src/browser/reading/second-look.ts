import type { Control } from './page-snapshot.ts'
import type { Field } from './words/shop-words.ts'

/**
 * What a field asks for, read a second time and in another way than it was filled: by the stems of words in what is written at it, wherever
 * they stand; where nothing of that is understood, by its name. True: it says so. False: it says something else. Null: it says nothing that is
 * understood.
 */
export function saysFor(control: Control, field: Field): boolean | null {
  const { autocomplete, label, near, placeholder, name, id } = control
  const wanted = kindsOf.get(field)
  if (wanted === undefined) return null
  const token = tokenKind(autocomplete)
  const texts = [label, near, placeholder].map(plain).filter((one) => letters.test(one))
  const [text = ''] = texts
  if (token !== null) return saysByToken(token, text, { field, wanted })
  if (text !== '' && field === 'card_number' && otherNumbers.test(plain(spaced(name)))) return false
  for (const said of texts) {
    const verdict = verdictOf(said, field, wanted)
    if (verdict !== null) return verdict
  }
  const named = plain(`${spaced(name)} ${spaced(id)}`)
  const verdict = verdictOf(named, field, wanted)
  // A name of a program says less than what is written.
  const isAlmost =
    verdict === false &&
    text === '' &&
    wanted.some((one) => isOfLine.has(one) || one === 'number') &&
    kindsIn(named).some((one) => isNear(one, wanted))
  return isAlmost ? null : verdict
}

type Asked = { readonly field: Field; readonly wanted: readonly Kind[] }

function saysByToken(token: Kind, text: string, { field, wanted }: Asked): boolean {
  if (field === 'full_name' && token !== 'name') return false
  if (wanted.includes(token)) return !contradicts(text, wanted)
  // Lines are counted where a form has other parts of an address as well.
  const isOfAddress = wanted.some((one) => isOfLine.has(one) || one === 'number')
  return isOfLine.has(token) && isOfAddress && kindsIn(text).some((one) => wanted.includes(one))
}

function verdictOf(said: string, field: Field, wanted: readonly Kind[]): boolean | null {
  const isCounted = wanted.some((one) => counted.has(one))
  if (isCounted && otherNumbers.test(said)) return false
  if (wanted.includes('street') && laterLine.test(said)) return false
  if (people.has(field) && otherPeople.test(said)) return false
  const found = kindsIn(said)
  const other = field === 'first_name' ? 'last' : field === 'last_name' ? 'first' : null
  // `Last name` has the word for a name in it, and is not for the first one.
  if (other !== null && found.includes(other) && !found.includes(other === 'last' ? 'first' : 'last'))
    return false
  if (found.length === 0) return null
  // `Card security code`, `Kartenprüfnummer`: another number of the same card.
  if (field === 'card_number' && found.includes('code')) return false
  if (!found.some((one) => wanted.includes(one)) || isOfMoreExact(found, wanted)) return false
  if (field === 'full_name' && isOneName(said, found)) return false
  if (field === 'postal_code' && otherPosts.test(said)) return false
  return field === 'house_number' && !isOfHouse(said) ? null : true
}

/** `Email address` is no address, and `phone number` no number of a house. */
function isOfMoreExact(found: readonly Kind[], wanted: readonly Kind[]): boolean {
  const isNumber = wanted.includes('number')
  const isName = wanted.some((one) => one === 'first' || one === 'last' || one === 'name')
  // `Numéro et nom de rue` is nobody's name.
  if (isName && found.includes('street')) return true
  const isSecond = wanted.includes('second')
  const isGeneral = isNumber || isSecond || wanted.some((one) => one === 'street' || one === 'name')
  // `Complemento e referência` is one field.
  return (
    isGeneral &&
    found.some((one) => exact.has(one) || (isNumber && one === 'postal') || (!isSecond && one === 'else'))
  )
}

const exact: ReadonlySet<Kind> = new Set(['email', 'phone', 'card', 'expiry', 'code'])

/** The street stands in the first line of an address. */
const laterLine =
  /(?:line|zeile|ligne|linea|riga|regel|rad|linha) ?[2-4]\b|(?:second|third|zweite|dritte|deuxieme|seconde|troisieme|segunda|tercera|terceira|seconda|terza|tweede|derde|druga|trzecia|andra|tredje) (?:adress?e?|address ?)?(?:line|zeile|ligne|linea|riga|regel|rad|linia|linha)/u

function isOneName(said: string, found: readonly Kind[]): boolean {
  if (found.includes('last')) return !ofBothNames.test(said)
  return ofFirstName.test(said) && !ofBothWords.test(said)
}

const ofFirstName = /\bfirst|given|forename|primeiro|vorname|prenom|voornaam|fornamn|imie/u
const ofBothWords = /\b(?:and|und|et|y|e|i|och|en|u|o)\b|last|sur|nach|zu|full|name vor/u
/** Where parcels wait, and not where somebody lives. */
const otherPosts = /dhl|packstation|locker|parcel/u

const ofBothNames =
  /\b(?:and|und|et|y|e|i|och|en|u|o)\b|first|given|vorname|prenom|voornaam|fornamn|imie|full|complet|vollstand|volledig|name (?:sur|last|family|nach|zu)name|fullstandig|pelne|votre|nombre.*apellid|nome.*(?:cognome|sobrenome|apelido)|氏名|名前|名$/u

/** A number without a word of its own, or with one for houses and streets. */
function isOfHouse(said: string): boolean {
  if (
    /house|haus|\bhnr|civic|huis|gatu|domu|dom\b|building|door|street|stras|\bstr\b|calle|\brue\b|voie|\bvia\b|straat|ulic|exterior|\bext\b|casa|porta|husn|budynku|番/u.test(
      said,
    )
  )
    return true
  return said
    .split(' ')
    .every((word) =>
      /^(?:name|or|and|number|nummer|nr|no|n|num|numero|numer|n o|o|of|the|your|de|da|do|required|optional|\d+)$/u.test(
        word,
      ),
    )
}

const letters = /\p{L}{2}|\p{sc=Han}/u

/** A program says one thing and the words beside it another: nobody knows which is meant. */
function contradicts(text: string, wanted: readonly Kind[]): boolean {
  const found = kindsIn(text)
  return found.length > 0 && !found.some((one) => wanted.includes(one) || isNear(one, wanted))
}

function kindsIn(text: string): Kind[] {
  return stems.filter(([, stem]) => stem.test(text)).map(([one]) => one)
}

const isOfLine: ReadonlySet<Kind> = new Set(['street', 'second'])

/** `Address` is written at each of its lines, and `name` at each name. */
function isNear(one: Kind, wanted: readonly Kind[]): boolean {
  return near[one]?.some((other) => wanted.includes(other)) ?? false
}

const near: Partial<Record<Kind, readonly Kind[]>> = {
  street: ['second', 'number', 'city', 'postal', 'state', 'country'],
  second: ['street', 'number'],
  number: ['second', 'street', 'phone', 'postal', 'card'],
  name: ['first', 'last', 'holder'],
  state: ['country', 'city'],
  country: ['state', 'dial'],
}

/** Whether anything is written at a field at all. */
export function isWrittenAt({ label, near, placeholder, autocomplete }: Control): boolean {
  return letters.test(label + near + placeholder) || tokenKind(autocomplete) !== null
}

/** Whether a field says that it takes the number of a card. */
export function asksForCardNumber(control: Control): boolean {
  const { autocomplete, label, near, placeholder, name, id } = control
  if (tokenKind(autocomplete) !== null) return tokenKind(autocomplete) === 'card'
  const text = plain(`${label} ${near} ${placeholder}`)
  const named = plain(`${spaced(name)} ${spaced(id)}`)
  const said = letters.test(text) ? text : named
  if (otherNumbers.test(named)) return false
  if (otherNumbers.test(said) || ofCard.test(said)) return false
  const isShaped = /(?:[\dx•*·#]{4}[ -]?){3,4}/u.test(placeholder.toLowerCase())
  return (
    isShaped ||
    (/card|kart|carte|tarjeta|carta|kaart|cart[ao]o|kort|カード|cc ?n|ccnumber|\bpan\b/u.test(said) &&
      isNumber.test(said))
  )
}

/** What else is asked of a card. */
const ofCard =
  /\bcvc|\bcvv|\bccv|cv2|security|verification|pruf(?:ziffer|nummer|code)|cryptogramme|securite|seguridad|sicurezza|beveiliging|seguranca|セキュリティ|expir|ablauf|caducidad|scadenza|verval|validade|有効期限|holder|inhaber|titula/u

const isNumber = /number|nummer|numero|num\b|\bnr\b|\bno\b|\bn\b|番号|ccn/u

type Kind =
  | 'email'
  | 'phone'
  | 'first'
  | 'last'
  | 'name'
  | 'street'
  | 'number'
  | 'second'
  | 'postal'
  | 'city'
  | 'state'
  | 'country'
  | 'card'
  | 'expiry'
  | 'code'
  | 'holder'
  | 'dial'
  | 'salutation'
  | 'else'

/** What a field may say where this is meant. */
const kindsOf: ReadonlyMap<Field, readonly Kind[]> = new Map<Field, readonly Kind[]>([
  ['email', ['email']],
  ['phone', ['phone']],
  ['dial_code', ['dial', 'phone', 'country']],
  ['full_name', ['name', 'first', 'last']],
  ['first_name', ['first', 'name']],
  ['last_name', ['last', 'name']],
  ['line1', ['street']],
  ['street', ['street']],
  ['house_number', ['number']],
  ['house_addition', ['number', 'second']],
  ['line2', ['second']],
  ['postal_code', ['postal']],
  ['city', ['city']],
  ['state', ['state']],
  ['country', ['country']],
  ['card_number', ['card']],
  ['salutation', ['salutation']],
])

const counted: ReadonlySet<Kind> = new Set(['number', 'card'])
const people: ReadonlySet<Field> = new Set(['full_name', 'first_name', 'last_name', 'city', 'country'])

const tokens: Readonly<Record<string, Kind>> = {
  email: 'email',
  tel: 'phone',
  'tel-national': 'phone',
  'tel-local': 'phone',
  'tel-area-code': 'phone',
  'tel-local-prefix': 'phone',
  'tel-local-suffix': 'phone',
  'tel-country-code': 'dial',
  name: 'name',
  'given-name': 'first',
  'family-name': 'last',
  'street-address': 'street',
  'address-line1': 'street',
  'address-line2': 'second',
  'address-line3': 'second',
  'postal-code': 'postal',
  'address-level2': 'city',
  'address-level1': 'state',
  country: 'country',
  'country-name': 'country',
  'cc-number': 'card',
  'cc-exp': 'expiry',
  'cc-exp-month': 'expiry',
  'cc-exp-year': 'expiry',
  'cc-csc': 'code',
  'cc-name': 'holder',
  'honorific-prefix': 'salutation',
  organization: 'else',
  'additional-name': 'else',
  'tel-extension': 'else',
}

/** Null: no token, or none that is known. `address-line1` beside a field for the number may be the street or the number. */
function tokenKind(autocomplete: string): Kind | null {
  // An address of mail is often the name of a user as well.
  const words = autocomplete
    .trim()
    .split(/\s+/u)
    .filter((word) => word !== 'username' && word !== 'webauthn')
  const last = words.at(-1) ?? ''
  return Object.hasOwn(tokens, last) ? (tokens[last] ?? null) : null
}

const stems: readonly (readonly [Kind, RegExp])[] = [
  ['email', /mail|courriel|correo|mejl|\be ?-?post|electroni|posta elettronica|メール|correio/u],
  [
    'phone',
    /phone|\bmobi|\bcell\b|\btel\b|telef|handy|\bgsm\b|portable|movil|celular|cellulare|telemovel|rufnummer|contact nu|contact no\b|電話|携帯/u,
  ],
  ['first', /first|given|forename|fname|vorname|prenom|\bnombres?\b|\bnome\b|voornaam|\bimie\b|fornamn|名/u],
  [
    'last',
    /last|family|surname|lname|nachname|familien|zuname|\bnom\b|apellido|cognome|achternaam|sobrenome|apelido|nazwisko|efternamn|ultimo nome|姓|名字|苗字/u,
  ],
  [
    'name',
    /\bnames?\b|fullname|\bnom\b|\bnombre\b|\bnome\b|\bnaam\b|\bnamn\b|nazwa|name$|recipient|empfanger|destinat|receiver|odbiorca|mottagare|氏名|名前|宛名|受取人|ontvanger/u,
  ],
  [
    'street',
    /address|\badd?r|street|\broad\b|line ?1|adress|anschrift|strasse|\bstr\b|\brue\b|\bvoie\b|calle|direccion|domicilio|\bvia\b|indirizzo|straat|\brua\b|endereco|morada|logradouro|ulic|\badres\b|gata|住所|番地|丁目|町名|町域|\bstrada\b|bezorgadres|linha 1|gatunamn/u,
  ],
  [
    'number',
    /house|haus ?n|hnr|number|nummer|\bnr\b|numero|\bnum\b|\bno\b|\bn\b|civico|huisn|numer|番地|番号|\brepetition|bis ter|\btoev\b|huisletter/u,
  ],
  [
    'second',
    /\bapt|apartment|suite|\bunit\b|flat\b|floor|line ?2|zusatz|complement|appart|etage|batiment|piso|puerta|escalera|planta|interno|scala|toevoeging|\bbus\b|verdieping|andar|bloco|mieszkan|lokal|lagenhet|vaning|suffix|addition|building|interior|inside|extra|adicional|supplement|(?:line|linea|ligne|riga|zeile|regel|rad|linha|addr|address|street|adres|adresse|adress|direccion|indirizzo|morada|endereco) ?2\b|(?:second|zweite|deuxieme|seconde|segunda|seconda|tweede|druga|andra) (?:adress?e?|address ?)?(?:line|zeile|ligne|linea|riga|regel|rad|linia|linha)|adres cd|住所 ?2|\bc o\b|departamento|建物|部屋|マンション|アパート|wohnung|\bc o\b|stockwerk|apartamento|\bnum int\b|informazioni aggiuntive|\bpiano\b|presso|pietro|dodatkowe informacje|\bporta\b|informacoes adicionais|linha 2/u,
  ],
  [
    'postal',
    /zip|post ?(?:al|code|leit|nummer|nr)|postcode|postal|\bplz\b|\bcap\b|\bcep\b|\bcp\b|\bc p\b|kod pocztowy|eircode|pincode|pin code|郵便|\bnpa\b|\bc a p\b|\bc p\b/u,
  ],
  [
    'city',
    /city|town|suburb|locality|\bort\b|stadt|wohnort|gemeinde|ville|commune|localite|ciudad|localidad|poblacion|municipi|citta|comune|localita|plaats|\bstad\b|cidade|miasto|miejscowosc|市|municipality|gemeente|postort|municipio/u,
  ],
  [
    'state',
    /state|province|region|county|territory|prefecture|\bstaat\b|bundesland|kanton|provinci|estado|\buf\b|distrito|wojewodztwo|\blan\b|departement|都道府県|zone|provinz|\bst\b|administrative|comunidad|\betat\b|canton|\bprov\b|regio\b|regiao|\bstan\b|delstat|provins/u,
  ],
  [
    'country',
    /country|nation\b|\bland\b|\bstaat\b|lieferland|pays|pais\b|paese|nazione|\bstato\b|kraj|panstwo|国/u,
  ],
  ['card', /card|\bcc ?n|karte|\bcarte\b|tarjeta|\bcarta\b|kaart|cartao|karty|kort|カード|\bpan\b/u],
  [
    'expiry',
    /expir|valid (?:thru|until|to)|gultig bis|ablauf|verfall|caducidad|vencimiento|scadenza|verval|validade|waznosci|utgang|有効期限|mm ?yy/u,
  ],
  [
    'code',
    /\bcvc|\bcvv|\bccv|security code|pruf(?:ziffer|nummer|code)|cryptogramme|securite|seguridad|sicurezza|beveiliging|seguranca|セキュリティ/u,
  ],
  [
    'salutation',
    /anrede|geschlecht|\btitle\b|salutation|honorific|form of address|gender|\bsex|tratamiento|\bgenero|\btitre|civilite|\bgenre|titolo|appellativo|\bsesso|\bgenere|敬称|性別|aanhef|aanspreking|geslacht|forma grzeczn|zwrot grzeczn|\bplec|tratamento|tilltal|\bkon\b/u,
  ],
  [
    'else',
    /company|firma\b|unternehmen|societe|entreprise|empresa|azienda|bedrijf|organi[sz]ation|foretag|会社|password|passwort|coupon|voucher|gutschein|promo|note\b|comment|message|newsletter|\bfax|\bnif\b|\bnie\b|\bdni\b|\bcpf\b|\bcnpj\b|\brfc\b|\bnip\b|pesel|siret|barrio|bairro|colonia|neighbou?rhood|landmark|stadtteil|quartier|\bvat\b|\btax\b|bemerk|anmerk|hinweis|uwagi|observ|opmerk|instruc|instrukt|referen|landmark|nickname/u,
  ],
]

/** Numbers and cards that are not the buyer's house or the card that pays. */
const otherNumbers =
  /loyal|organisationsn|\borg ?nr|\bgift|\bclub|member|reward|bonus|\bpoints\b|\btax\b|\bvat\b|\bfax\b|identif|identity|passport|licen[cs]e|student|library|staff|employee|customer n|account n|order n|invoice n|reference|serial|treue|geschenk|mitglied|kundenn|kundenk|steuer|ausweis|fidel|cadeau|\bclient\b|adherent|\bcliente\b|\bsocio|\bdni\b|\bnie\b|\bnif\b|\bcpf\b|\bcnpj\b|documento|codice fiscale|partita iva|fedelta|tessera|klantn|klantenk|\blid|\bbtw\b|\bkvk\b|\bnip\b|pesel|lojalno|medlem|personnummer|会員|ポイント|税|顧客|\bstart|valid from|issue|gate|access|intercom|frequent|flyer|policy|insurance|sponsor|coupon|voucher/u

/** People and places that are not the buyer's. */
const otherPeople =
  /maiden|middle|\bpet\b|\bdog\b|\bcat\b|mother|father|spouse|emergency|friend ?s? (?:name|e ?mail|first|last)|of a friend|referr|sender|\buser ?name|login|nick|birth|geburt|naissance|nacimiento|nascita|nascimento|geboorte|urodzenia|fodelse|haustier|benutzer|utilisateur|usuario|utente|company|firma\b|firmen|societe|entreprise|empresa|azienda|bedrijf|カナ|フリガナ|ふりがな|nationality|issued/u

function plain(text: string): string {
  return text
    .slice(0, 300)
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .normalize('NFD')
    .replaceAll(/[\u0300-\u036f]+/gu, '')
    .normalize('NFC')
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}

function spaced(name: string): string {
  return name.slice(0, 200).replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
}
