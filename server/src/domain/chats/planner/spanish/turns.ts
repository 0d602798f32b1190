import type { Unit } from '../units.ts'

/** Turns of a few words each: "más de 8 euros no pago", "¿qué ventilador me compro?", "desde 10 hasta 20", "en Bebitos". */
export function withTurns(units: readonly Unit[]): readonly Unit[] {
  const buys = units.some(({ tag }) => tag === 'buy')
  return withoutReplaced(asksForAdvice(withDoubts(units, buys))).flatMap((unit, at, all): Unit[] => {
    const [before, next] = [all[at - 1], all[at + 1]]
    if (unit.tag === 'min' && refusesAbove(all, at)) return [{ ...unit, tag: 'max' }]
    if (unit.tag === 'min' && next?.tag === 'number' && all.slice(at + 2, at + 4).some(isUpTo))
      return [{ ...unit, tag: 'between' }]
    // "Algo más económico" is cheaper, and no more of the same.
    const isMore = (one: Unit | undefined) => one?.tag === 'more' && /m[aá]s$/i.test(one.text)
    if (isMore(unit) && next?.tag === 'cheap') return []
    if (unit.tag === 'cheap' && isMore(before)) return [{ ...unit, tag: 'cheaper' }]
    if (/^en$/i.test(unit.text) && unit.tag === 'in' && isCapital(next))
      return [{ ...unit, tag: 'from', value: 'sure' }]
    // "¿Y no las hacen en verde?" asks for them.
    if (unit.tag === 'no' && !buys && all.slice(at + 1, at + 4).some(({ text }) => offering.test(text)))
      return [asFiller(unit)]
    const isOffering = offering.test(unit.text)
    // "¿Cuál tiene mejores críticas?" compares, where "¿tiene …?" searches.
    if (
      isOffering &&
      unit.tag === 'search' &&
      all.slice(Math.max(0, at - 6), at).some(({ tag }) => tag === 'which')
    )
      return [asFiller(unit)]
    // "Se me ha muerto otra vez": again it happened, and nothing is to be tried.
    if (unit.tag === 'retry' && adverb.test(unit.text) && all.some(isThing)) return [asFiller(unit)]
    return [isOffering && unit.tag === 'content' ? asFiller(unit) : unit]
  })
}

export function asFiller(unit: Unit): Unit {
  return { ...unit, tag: 'filler', value: '' }
}

const adverb = /^(?:otra vez|de nuevo|una vez m[aá]s)$/i
const offering =
  /^(?:ha[cy]en|fabrican|tendr[ií]an?|tendr[aá]n?|tendr[aá]s|tienes?|tienen|ten[eé]is|tenés|hay|habr[aá]|habr[ií]a|venden|vend[eé]is|manejan|ofrecen|viene|vienen)$/i

function refusesAbove(units: readonly Unit[], at: number): boolean {
  const after = units.slice(at + 1, at + 5)
  return after[0]?.tag === 'number' && after.findIndex(({ text }) => /^no$/i.test(text)) > 0
}

function isUpTo({ tag, value }: Unit): boolean {
  return tag === 'max' && value === 'to'
}

function isCapital(unit: Unit | undefined): boolean {
  return unit?.tag === 'content' && /^\p{Lu}\p{Ll}{2}/u.test(unit.text)
}

export function isThing(unit: Unit | undefined): boolean {
  return unit?.tag === 'content' || unit?.tag === 'product'
}

/** "¿Qué ventilador me compro?" asks for one that is good, and orders none. */
function asksForAdvice(units: readonly Unit[]): readonly Unit[] {
  const asked = units.findIndex(({ text }, at) => /^qu[eé]$/i.test(text) && isThing(units[at + 1]))
  if (asked < 0) return units
  return units.map((unit, at) =>
    at > asked && at < asked + 8 && unit.tag === 'buy' ? { ...unit, tag: 'search', value: '' } : unit,
  )
}

/** "En vez de bicis enséñame patinetes": what is replaced is not wished. */
function withoutReplaced(units: readonly Unit[]): readonly Unit[] {
  const at = units.findIndex(({ text }) => /^(?:en vez de|en lugar de)$/i.test(text))
  const verb = units.findIndex(
    ({ tag }, place) => place > at && (tag === 'search' || tag === 'show' || tag === 'need'),
  )
  if (at < 0 || verb < 0 || units.slice(0, at).some(isThing)) return units
  return units.map((unit, place) => (place >= at && place < verb ? asFiller(unit) : unit))
}

/** Verbs of buying that say what others do: "¿compran mucho los demás?". */
const ofOthers =
  /^(?:compran|piden|llevan|encargan|pillan|cogen|adquieren|ordenan|agregan|compraban|pedían|llevaban)$/i
const ofSelf =
  /^(?:(?:me |te |la |lo |las |los |se )*(?:compro|pido|llevo|encargo|pillo|cojo|quedo|tomo|pago|adquiero))$/i
/** What is asked with "if": whether there is any. The purchase is wished all the same. */
const available =
  /^(?:hay|queda|quedan|tienes?|tienen|ten[eé]is|puedes?|pueden|pod[eé]s|podr[ií]as?|es posible|le|les|te|en)$/i

/** "Si bajan de precio la compro" waits for something; "es" asks whether, where it stands beside a verb of buying. */
function withDoubts(units: readonly Unit[], buys: boolean): readonly Unit[] {
  if (!buys) return units.map((unit) => (unit.tag === 'hypo' && weak.test(unit.text) ? asFiller(unit) : unit))
  return units.map((unit, at): Unit => {
    if (unit.tag === 'buy' && ofOthers.test(unit.text)) return { ...unit, tag: 'hypo', value: '' }
    if (/^es$/i.test(unit.text)) return { ...unit, tag: 'hypo', value: '' }
    if (unit.tag !== 'aside' || !/^si$/i.test(unit.text)) return unit
    const rest = units.slice(at + 1, at + 24)
    const end = rest.findIndex(({ tag, value }) => tag === 'mark' && /[.!?\n;]/.test(value))
    const sentence = end < 0 ? rest : rest.slice(0, end)
    const bought = sentence.find(({ tag }) => tag === 'buy')
    const isPriced = sentence.some(({ tag }) => tag === 'max')
    if (bought === undefined || isPriced) return unit
    const isAvailable = available.test(sentence[0]?.text ?? '')
    if (isAvailable && !ofSelf.test(bought.text)) return asFiller(unit)
    return isAvailable ? unit : { ...unit, tag: 'hypo', value: '' }
  })
}

/** Words that make a doubt of buying, and of nothing else. */
const weak =
  /^(?:un amigo|mi amigo|antes|antes de|antes de que|después de|despues de|tengo que|hay que|cada vez que|la gente|mucha gente|puedo|se puede|se pueden|en caso de|caso de|casi|pensaba|debo|imagina|otros clientes|es mejor|que yo)$/i
