/** A line of an address, taken apart as forms with a field for the number of the house ask for it. */
export type StreetParts = {
  readonly street: string
  /** Without its addition; empty where the line has none, or nobody can tell which it is. */
  readonly number: string
  /** `A` of `263-A`, `hs`, `bis`, as it stands, with what joins it to the number. */
  readonly addition: string
  /** Floor, door, flat or building: what a second line is for. */
  readonly unit: string
}

/** Street and number of the house, by the habits of the country. */
export function splitStreet(line: string, country = ''): StreetParts {
  const text = line.normalize('NFC').replaceAll(/\s+/gu, ' ').trim()
  const none = { street: text, number: '', addition: '', unit: '' }
  if (postBox.test(text)) return none
  const joined =
    /^(?<street>[\p{sc=Han}\p{sc=Hira}\p{sc=Kana}ー]+)(?<number>[\p{Nd}](?:[\p{Nd}丁目番地号の-]|[−‐–])*)$/u.exec(
      text,
    )?.groups
  if (joined?.street !== undefined && joined.number !== undefined)
    return { ...none, street: joined.street, number: joined.number }
  const [first, second] = numberFirst.has(country)
    ? [splitBefore, english.has(country) ? null : splitBehind]
    : [splitBehind, splitBefore]
  return first(text, country) ?? second?.(text, country) ?? none
}

/** Where the number stands before the street. In those that write English it stands nowhere else: `Highway 66` has none. */
const english = new Set('US GB IE AU NZ CA ZA SG MT'.split(' '))
const numberFirst = new Set([...english, ...'FR LU MC HK MY PH IN IL TH TW'.split(' ')])

const postBox =
  /^(?:p\.?\s?o\.?\s*box|post office box|postfach|postbus|postboks|box|b\.?p\.?|boîte postale|apartado|casilla|caixa postal|casella postale|私書箱)\s*\S*\d/iu

/** What a second line begins with. */
const unitWords =
  `flat|apt|apartment|unit|suite|ste|floor|fl|room|rm|bldg|building|level|lot|trailer|studio|penthouse
  |wohnung|whg|hinterhaus|hinterhof|vorderhaus|seitenflügel|gartenhaus|gebäude|haus|stock|stiege|stg|tür|top|app|etage|og|eg|dg|ug
  |bte|bt|boîte|boite|bus|appt|appartement|étage|esc|escalier|bât|bat|bâtiment|porte|résidence|rés|hall|lieu-dit
  |piso|planta|puerta|pta|pt|escalera|esc|bajo|bajos|ático|entresuelo|entlo|izq|izda|izquierda|dcha|dch|derecha|interior|int
  |depto|dpto|departamento|oficina|of|local|torre|bloque|blq|portal|casa|lote|manzana|mz
  |apto|ap|andar|bloco|bl|sala|esq|dto|direito|esquerdo|fração|fracção|cave|conjunto|cj|loja
  |interno|scala|piano|palazzina|edificio|p\\.?\\s?t|m|lok|lokal|mieszkania|mieszk|kl|klatka
  |lgh|lägenhet|vån|uppg|st|tv|th|mf|kl|sal|leil|h0\\d+
  |em|fszt|ajtó|lépcsőház|lph|daire|d|kat|k|blok|byt|patro|c/o|z\\.?\\s?hd|p\\.\\s?adr`
    .replaceAll(/\s*\n\s*/gu, '')
    .replaceAll('||', '|')

/** `Apto 12`, `3º B`, `2. OG links`, `1st floor`, `c/o Meyer`. */
const unitText = new RegExp(
  `^(?:(?:${unitWords})(?=[\\s.:\\d]|$)|\\d{1,3}\\s?(?:º|ª|°|o|a|e|er|ère|ème|eme|st|nd|rd|th)(?=[\\s.,]|$)|\\d{1,2}\\.\\s?(?:${unitWords})(?=[\\s.,]|$))`,
  'iu',
)

const digits = String.raw`\d+(?:\s\d\/\d)?(?:\s?[-–/]\s?\d+)*`
/** A letter, a few of them, or what is written behind a number of its own. */
const added = String.raw`(?:\s?[-/]?\s?(?:bis|ter|quater|huis|hs|boven|rood|rd|zw|(?!${'(?:m|d|k)'}\.)\p{L})(?:\s?[-–/]\s?(?:\d{1,4}\p{L}?|\p{L}))?(?![\p{L}]))`
const dutchAdded = String.raw`(?:\s?[-/]?\s?(?:bis|huis|hs|boven|rood|zw|[IVX]{1,4}|\p{L}{1,2}|(?<=-\s?)\d{1,3})(?:[-/]?\d{1,4})?(?![\p{L}\d]))`
const grid = String.raw`[NSEW]\d+[NSEW]\d+`
const called = String.raw`(?:n[°ºo]|nr|no|núm|num|number|número|numero|numéro|nº|#|№)\.?\s?:?\s?`

/** `Rosenweg 12a`, `Via Roma 12/A`, `C/ Mayor, 12, 3º B`: the first number behind which nothing but an addition or a unit stands. */
function splitBehind(text: string, country: string): StreetParts | null {
  const additions = country === 'NL' ? dutchAdded : country === 'FI' ? finnishAdded : added
  const pattern = new RegExp(
    `(?<=[\\s,.])(?:${called})?(?<number>${digits})(?<addition>${additions})?(?<rest>.*)$`,
    'iu',
  )
  for (const { index } of text.matchAll(/(?<=[\s,.#:])\d+/gu)) {
    const before = text.slice(0, index)
    // Within `12-14`, `4 1/2` or `n° 12` it begins earlier.
    if (/\d\s?[-–/]\s?$/u.test(before)) continue
    const found = pattern.exec(` ${text.slice(index)}`)?.groups
    const rest = trimmed(found?.rest)
    const street = trimmed(before.replace(new RegExp(`[\\s,]*${called}$`, 'iu'), ''))
    if (found?.number === undefined || !/\p{L}/u.test(street)) continue
    if (!(rest === '' || isUnit(rest, /,\s*$/u.test(before)))) continue
    return { street, number: found.number.trim(), addition: found.addition?.trimEnd() ?? '', unit: rest }
  }
  const without = /^(?<street>.*\p{L}),?\s+(?<number>s\/n[ºo°]?)(?<rest>.*)$/iu.exec(text)?.groups
  if (without?.street === undefined || without.number === undefined) return null
  return {
    street: trimmed(without.street),
    number: without.number,
    addition: '',
    unit: trimmed(without.rest),
  }
}

const finnishAdded = String.raw`(?:\s?\p{L}(?![\p{L}])(?:\s?\d{1,4})?)`

/** A number alone is a floor only behind a number that a comma sets apart: `Calle Mayor, 12, 3, B`, and not `Q 7, 24`. */
function isUnit(rest: string, isSetApart: boolean): boolean {
  return rest
    .split(/\s*,\s*/u)
    .every(
      (part, at) =>
        unitText.test(part) ||
        /^\p{L}{1,2}$/u.test(part) ||
        ((isSetApart || at > 0) && /^\d{1,2}$/u.test(part)),
    )
}

/** `12 Analytical Way`, `Flat 3, 12 Rose Lane`, `10 bis rue Vivienne`, `12, rue de la Paix`. */
function splitBefore(text: string, country: string): StreetParts | null {
  const [head = '', ...tail] = text.split(/\s*,\s*/u)
  const unitFirst = unitText.test(head) && tail.length > 0 ? head : ''
  const line = unitFirst === '' ? text : tail.join(', ')
  const addition =
    country === 'FR' || country === 'LU' || country === 'BE' || country === 'MC' || country === 'CH'
      ? String.raw`\s?(?:bis|ter|quater|[a-d](?=[\s,]))`
      : String.raw`\p{L}`
  const pattern = new RegExp(
    `^(?:${called})?(?<number>${grid}|${digits})(?<addition>${addition})?(?![\\p{L}\\d])[,\\s]+(?<street>.*\\p{L}.*)$`,
    'iu',
  )
  const found = pattern.exec(line)?.groups
  if (found?.street === undefined || found.number === undefined) return null
  // `5th Avenue` and `3. Maja` are streets.
  if (/^(?:st|nd|rd|th|de|º|ª|\.)\b/iu.test(line.slice(found.number.length))) return null
  const { street, unit } = withoutUnit(found.street)
  if (street === '') return null
  const units = [unitFirst, unit].filter((one) => one !== '').join(', ')
  return { street, number: found.number, addition: found.addition ?? '', unit: units }
}

/** What follows a street: `Rose Lane, Flat 3`, `SW 5th Ave Apt 4`, `Main St #4`. */
function withoutUnit(text: string): { street: string; unit: string } {
  const [street = '', ...rest] = text.split(/\s*,\s*/u)
  if (rest.length > 0 && rest.every((part) => unitText.test(part) || /^\d+\p{L}?$/u.test(part)))
    return { street, unit: rest.join(', ') }
  const inline =
    /^(?<street>.*\S)\s+(?<unit>(?:(?:apt|apartment|unit|suite|ste|flat|appt|rm|room|fl|floor)\.?\s|#\s?)\s*#?[\w-]+)$/iu.exec(
      text,
    )?.groups
  return { street: trimmed(inline?.street ?? text), unit: inline?.unit ?? '' }
}

function trimmed(text = ''): string {
  return text.replace(/^[\s,;:.–-]+|[\s,;:#–-]+$/gu, '').trim()
}
