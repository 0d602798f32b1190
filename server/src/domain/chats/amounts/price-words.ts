import { folded } from './currency-words.ts'
import type { Token } from './tokens.ts'

const prices = new Set(
  [
    'cost costs costing price prices priced total totals subtotal pay paid paying charge charged worth fee shipping',
    'kostet kosten koste macht preis preise gesamtpreis gesamt summe zahlst zahlen bezahlen versand gebuhr endpreis',
    'coute coutent couter cout prix total payer payez frais montant tarif',
    'cuesta cuestan costar coste costo precio precios total pagar pagas envio importe vale valen',
  ].flatMap((words) => words.split(' ')),
)

/** Of two characters, where words have no spaces between them. */
const japanesePrices = new Set('価格 値段 総額 合計 小計 料金 代金 金額 送料 税込'.split(' '))

/** What may stand between a word of a price and its number. */
const between = new Set(
  [
    'is are was be at of only just now about around roughly approx for you it to comes come a the will would would',
    'ist sind betragt liegt bei nur jetzt etwa ca rund fur sich auf von der die das mich dich sie euch insgesamt',
    'est sont de a seulement environ pour vous te le la que maintenant',
    'es son solo unos en por ahora de un el la',
    'は が で 約 だ け も',
  ].flatMap((words) => words.split(' ')),
)

const sizes = new Set(
  'size sizes shoe shoes grosse schuhgrosse taille pointure talla numero サイズ eu'.split(' '),
)

const units = new Set(
  [
    'mm cm m km in inch inches ft g kg mg lb lbs oz ml cl l dl liter litre liters w kw v a mah wh hz khz mhz ghz gb mb tb kb',
    'h hr hrs hour hours min mins minute minutes s sec second seconds day days week weeks month months year years',
    'tage tagen tag stunden stunde minuten wochen woche monate jahre jahr uhr jours jour heures heure mois ans an semaines',
    'dias dia horas hora meses anos semanas x st nd rd th er e eme pcs pc pieces piece stuck stk pack packs items item',
    'stars star sterne etoiles estrellas reviews review points dpi px p fps rpm db c f k bar watt watts volt zoll pouces',
    '日 時 分 年 月 週 個 枚 本 台 点 人 件 回 階 泊 歳 号 番 位 倍 色 種',
  ].flatMap((words) => words.split(' ')),
)

/** What goes on after a price without a currency. */
const afterPrice = new Set(
  [
    'and or in for per with incl including plus on at but if so today now each total vs than instead by all only before after',
    'und oder in fur pro mit inkl inklusive zzgl plus bei aber wenn heute jetzt je statt insgesamt ohne also vor nach',
    'et ou en pour par avec ttc plus mais si aujourd maintenant chacun chaque au sans donc',
    'y o en por con iva mas pero si hoy ahora cada sin incluido',
    'で だ と 。 に す し',
  ].flatMap((words) => words.split(' ')),
)

/** Beside a number with hundredths they say a price too: "for 24.99", "nur 24,99", "24.99 each". */
const priceLead = new Set('for only just nur fur seulement pour solo por'.split(' '))
const priceTail = new Set('each apiece per je pro chacun chacune piece cada'.split(' '))

export function isBesidePrice(tokens: readonly Token[], from: number, to: number): boolean {
  if (!/^\d+[.,]\d\d$/.test(tokens[from]?.text ?? '')) return false
  const [before, after] = [tokens[from - 1], tokens[to]]
  const leads = before !== undefined && tokens[from]?.gap !== '\n' && priceLead.has(folded(before.text))
  const isFrench = before?.text === 'à' && tokens[from]?.gap === ' '
  return leads || isFrench || (after !== undefined && after.gap !== '\n' && priceTail.has(folded(after.text)))
}

const countries = new Set(
  'us american amerikanische amerikanischen canadian kanadische kanadischen australian australische hong kong new zealand singapore schweizer swiss danish swedish norwegian danische schwedische norwegische'.split(
    ' ',
  ),
)

/** `24 Canadian dollars`, `24 US-Dollar`. */
export function isCountry(token: Token | undefined): boolean {
  return token?.kind === 'word' && token.gap === ' ' && countries.has(folded(token.text))
}

/** Whether the tokens right before say that a price follows. */
export function saysPriceBefore(tokens: readonly Token[], at: number): boolean {
  for (let back = at - 1; back >= Math.max(0, at - 6); back--) {
    const token = tokens[back]
    if (token === undefined || tokens[back + 1]?.gap === '\n') return false
    const word = folded(token.text)
    if (prices.has(word) || japanesePrices.has(`${tokens[back - 1]?.text ?? ''}${token.text}`)) return true
    const isBetween = between.has(word) || /^[:=~≈(]$/.test(token.text)
    if (!isBetween) return false
  }
  return false
}

/** Whether a number at its end may be a price: no unit, no percent, and no things that it counts. */
export function isLastOfPrice(next: Token | undefined, hasHundredths: boolean): boolean {
  if (next === undefined || next.gap === '\n') return true
  if (next.text === '%' || next.text === '°' || isUnit(next)) return false
  if (/^[-/:x×]$/.test(next.text) && next.gap === '') return false
  if (next.kind === 'other' || hasHundredths) return true
  return afterPrice.has(folded(next.text))
}

export function isUnit(token: Token | undefined): boolean {
  if (token === undefined || token.gap === '\n') return false
  return /^[%°"″'′]$/.test(token.text) || (token.kind !== 'digits' && units.has(folded(token.text)))
}

export function saysSizeBefore(tokens: readonly Token[], at: number): boolean {
  const [near, far] = [tokens[at - 1], tokens[at - 2]]
  return [near, far].some((token) => token !== undefined && sizes.has(folded(token.text)))
}
