import type { Unit } from '../unit.ts'

/**
 * German verbs that ask for nothing are no words to search by. Those of the tables are told by their forms; others by who stands beside
 * them, and by the case of their first letter, where the message has cases: a noun has a capital.
 */
export function withoutVerbs(all: readonly Unit[]): Unit[] {
  const units = withLacks(
    withPurchases(
      withCeilings(all.map(asChild).map(asArticle).map(asSlip).map(asCheapest).map(asWanted).map(asNamed)),
    ),
  )
  const hasCases = isCased(units)
  return units.map((unit, at): Unit => {
    if (unit.tag === 'verb')
      return isNoun(units, at, hasCases)
        ? { ...unit, tag: 'content' }
        : { ...unit, tag: 'filler', value: 'verb' }
    if (unit.tag !== 'content' || !/^\p{Ll}+$/u.test(unit.text)) return unit
    const isVerb =
      isBesideSubject(units, at) || participle.test(unit.text) || (hasCases && isOutside(units, at))
    return isVerb ? { ...unit, tag: 'filler', value: 'verb' } : unit
  })
}

/** "Mehr als 90 Euro gebe ich nicht aus": what is not more than an amount is at most it. */
function withCeilings(units: readonly Unit[]): readonly Unit[] {
  const at = units.findIndex(
    ({ tag, text }) => tag === 'min' && /^(?:mehr (?:als|wie)|über|teurer als)$/i.test(text),
  )
  if (at < 0) return units
  const end = units.findIndex(({ tag, value }, place) => place > at && tag === 'mark' && value !== '-')
  const isWithin = (place: number) => place > at && (end < 0 || place < end)
  const denies = units.findIndex(
    ({ tag }, place) => isWithin(place) && /^(?:not|nobuy|without|no)$/.test(tag),
  )
  if (denies < 0) return units
  return units.map((unit, place): Unit => {
    if (place === at) return { ...unit, tag: 'max' }
    const isSilent = place === denies || (isWithin(place) && (unit.tag === 'buy' || unit.tag === 'need'))
    return isSilent ? { ...unit, tag: 'filler' } : unit
  })
}

/** "Ein" is an article before what it counts, and a part of a verb at the end: "ich kaufe ein". */
function asArticle(unit: Unit, at: number, units: readonly Unit[]): Unit {
  const next = units[at + 1]
  if (unit.tag !== 'filler' || unit.text.toLowerCase() !== 'ein' || next === undefined) return unit
  return next.tag === 'mark' || next.tag === 'and' ? unit : { ...unit, tag: 'a' }
}

/** "Eine Lampe, äh, einen Schirm": who stumbles before another thing corrects the first. */
function asSlip(unit: Unit, at: number, units: readonly Unit[]): Unit {
  if (unit.tag === 'oops' && /^warte$/i.test(unit.text) && /^ich$/i.test(units[at - 1]?.text ?? ''))
    return { ...unit, tag: 'filler' }
  if (!/^(?:äh+|ähm+|öh+m?|ehm)$/i.test(unit.text)) return unit
  const next = units.slice(at + 1).find(({ tag }) => tag !== 'mark')
  const isNext = next !== undefined && /^(?:a|number|in|color|count)$/.test(next.tag)
  return isNext && units.slice(Math.max(0, at - 4), at).some(isNamed) ? { ...unit, tag: 'oops' } : unit
}

/** "Der Kleine wächst": a child, and no size. */
function asChild(unit: Unit, at: number, units: readonly Unit[]): Unit {
  const next = units[at + 1]
  const acts = next?.tag === 'verb' || /^(?:hat|wird|will|braucht|möchte|kommt|geht)$/i.test(next?.text ?? '')
  const isChild = unit.tag === 'size' && acts && units[at - 1]?.tag === 'the'
  return isChild ? { ...unit, tag: 'whom', value: '' } : unit
}

/** "Der günstigere" of several things is one of them, where "günstigere" alone are others. */
function asCheapest(unit: Unit, at: number, units: readonly Unit[]): Unit {
  if (unit.tag !== 'cheaper' || units[at - 1]?.tag !== 'the') return unit
  const article = units[at - 1]?.text.toLowerCase() ?? ''
  const isOne = /^(?:der|die|das)$/.test(article) ? /re$/i.test(unit.text) : /ren$/i.test(unit.text)
  return isOne ? { ...unit, tag: 'extreme', value: 'cheapest' } : unit
}

/** "Ich hätte sehr gern …": the two words that wish stand apart. */
function asWanted(unit: Unit, at: number, units: readonly Unit[]): Unit {
  if (/^(?:sehr |auch |doch )?gerne?$/i.test(unit.text))
    return units.slice(Math.max(0, at - 6), at).some(isWishing) ? { ...unit, tag: 'filler' } : unit
  if (!isWishing(unit)) return unit
  const clause = units.slice(at + 1, at + 7)
  const end = clause.findIndex(({ tag }) => tag === 'mark')
  const said = clause.slice(0, end < 0 ? undefined : end)
  const wishes = /wär/i.test(unit.text)
    ? said[0]?.tag === 'a' && said.some(({ text }) => praising.test(text))
    : said.some(({ text }) => /gerne?$/i.test(text))
  return wishes ? { ...unit, tag: 'need' } : unit
}

function isWishing({ text }: Unit): boolean {
  return /^(?:ich |wir )?(?:hätten?|haetten?|hätt|würden?|wuerden?|würd|wäre?)(?: ich| wir)?$/i.test(text)
}

/** "Da wäre eine Rampe nicht schlecht." */
const praising =
  /^(?:nicht schlecht|nicht|schön|toll|super|praktisch|prima|klasse|cool|nett|fein|hilfreich|perfekt|ideal|gut)$/i

/** "Mit dem Bestellen warten wir": buying that is named is not done. */
function asNamed(unit: Unit, at: number, units: readonly Unit[]): Unit {
  if (unit.tag !== 'buy' || !/^\p{L}+e[lr]?n$/u.test(unit.text)) return unit
  const before = units[at - 1]?.text ?? ''
  const isNamed = /^(?:dem|beim|vom|zum|fürs|am|im|des)$/i.test(before)
  return isNamed || (/^(?:das|ans)$/i.test(before) && /^\p{Lu}/u.test(unit.text))
    ? { ...unit, tag: 'hypo', value: '' }
    : unit
}

/** "Ich habe noch keine Laufschuhe", "kein Mehl mehr": what somebody lacks is what is sought. */
function withLacks(units: readonly Unit[]): readonly Unit[] {
  const at = units.findIndex(({ text }) => /^(?:noch |leider )?kein(?:e|en)?$/i.test(text))
  const having = units.slice(Math.max(0, at - 4), at).some(({ text }) => /^(?:hab|habe|haben)$/i.test(text))
  const around = units.slice(Math.max(0, at - 2), at + 4).map(({ text }) => text)
  const isLast =
    units[at + 1]?.tag === 'content' && (units[at + 2] === undefined || units[at + 2]?.tag === 'mark')
  const isLacked =
    (isLast || around.some((text) => /^(?:noch|mehr|nimmer)$/i.test(text))) &&
    !around.some((text) => abstract.test(text))
  return having && isLacked
    ? units.flatMap((unit, place) =>
        place === at
          ? [{ ...unit, tag: 'need' as const }]
          : unit.tag === 'more' && place > at && place < at + 4
            ? []
            : [unit],
      )
    : units
}

const abstract =
  /^(?:geld|zeit|lust|platz|interesse|ahnung|plan|meinung|bedarf|job|arbeit|gehalt|idee|antwort|nachricht|mail)$/i

/** "Was wir diesen Monat alles bestellt haben": who asks what was bought. */
function withPurchases(units: readonly Unit[]): readonly Unit[] {
  const at = units.findIndex(({ text }) => /^was(?: |$)/i.test(text))
  if (at < 0) return units
  const clause = units.slice(at, at + 10)
  const bought = clause.findIndex(({ tag }) => tag === 'past')
  if (bought < 0 || !clause.slice(0, bought).some(({ text }) => /^(?:ich|wir)$/i.test(text))) return units
  return units.map((unit, place): Unit => {
    if (place === at) return { ...unit, tag: 'follow' }
    return place === at + bought ? { ...unit, tag: 'filler' } : unit
  })
}

/** "Zum Kochen", "fürs joggen": a verb that is named. */
function isNoun(units: readonly Unit[], at: number, hasCases: boolean): boolean {
  const [unit, before] = [units[at], units[at - 1]]
  if (/^(?:zum|beim|fürs|vom|ans|ins|gegen)$/i.test(before?.text ?? '') && /e[lr]?n$/.test(unit?.text ?? ''))
    return true
  return hasCases && at > 0 && !isEnd(before) && /^\p{Lu}/u.test(unit?.text ?? '')
}

/** Whether nouns have capitals here: one within a sentence has, and what begins it is not all that does. */
function isCased(units: readonly Unit[]): boolean {
  const isCapital = ({ text }: Unit) => /^\p{Lu}\p{Ll}/u.test(text)
  const nouns = units.filter(
    (unit, at) => at > 0 && isNamed(unit) && isCapital(unit) && !isEnd(units[at - 1]),
  )
  return nouns.length > 0 && units.some(({ text }) => /^\p{Ll}{2}/u.test(text))
}

/** "Ich stricke", "wir zelten": a form that goes with who is beside it. */
function isBesideSubject(units: readonly Unit[], at: number): boolean {
  const text = units[at]?.text ?? ''
  return [units[at - 1], units[at + 1]].some((unit) => {
    const who = unit?.text.toLowerCase()
    if (who === 'ich') return /[^e]e$/.test(text) || /^\p{Ll}+s?t$/u.test(text)
    if (who === 'wir') return /(?:en|eln|ern)$/.test(text)
    return who === 'du'
      ? /st$/.test(text)
      : (who === 'er' || who === 'es' || who === 'man') && /t$/.test(text)
  })
}

/** "Umgefallen", "angeknabbert", "repariert": how something came to be, and no kind of a thing. */
const participle =
  /^(?:(?:ab|an|auf|aus|ein|um|zu|vor|nach|mit|weg|los|hin|her|fest|kaputt|leer|voll|weiter|zurück|zusammen|auseinander|runter|rauf|raus|rein|heraus|herunter|hinein|durch)ge\p{Ll}{3,}(?:t|en)|\p{Ll}{4,}iert)$/u

/** A small word that stands before no noun and has the ending of a verb. */
function isOutside(units: readonly Unit[], at: number): boolean {
  const text = units[at]?.text ?? ''
  if (!/(?:[^aeo]t|en)$/u.test(text) || described.test(text)) return false
  const next = units
    .slice(at + 1)
    .find(({ tag, text: each }) => !(tag === 'content' && /^\p{Ll}/u.test(each)))
  return next === undefined || !(isNamed(next) || next.tag === 'material')
}

/** Endings of words that say how a thing is: "wasserdicht", "rutschfest", "verstellbar". */
const described =
  /(?:dicht|fest|echt|haft|leicht|licht|bunt|matt|glatt|alt|kalt|breit|weit|hart|zart|fett|nett|gesund|iert|gefüttert|gepolstert|gestreift|stärkt)$/u

function isNamed({ tag }: Unit): boolean {
  return tag === 'content' || tag === 'product'
}

function isEnd(unit: Unit | undefined): boolean {
  return unit === undefined || (unit.tag === 'mark' && /[.!?:\n]/.test(unit.value))
}
