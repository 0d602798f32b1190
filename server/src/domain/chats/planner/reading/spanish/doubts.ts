import type { Unit } from '../unit.ts'
import { asFiller } from './unit-kinds.ts'

/** Forms of buying that say what others do: "¿compran mucho los demás?". */
const ofOthers =
  /^(?:compran|piden|llevan|encargan|pillan|cogen|adquieren|ordenan|agregan|compraban|pedían|llevaban)$/i
const ofSelf =
  /^(?:(?:me |te |la |lo |las |los |se )*(?:compro|pido|llevo|encargo|pillo|cojo|quedo|tomo|pago|adquiero))$/i
const infinitive = /^\p{L}+[aei]r(?:me|te|se|nos|les?)?(?:l[oa]s?)?$/iu
/** What is asked with "if": whether there is any. The purchase is wished all the same. */
const available =
  /^(?:hay|queda|quedan|tienes?|tienen|ten[eé]is|puedes?|pueden|pod[eé]s|podr[ií]as?|pudieras?|pudieran|es posible|le|les|te|en)$/i
const habit =
  /^(?:siempre|nunca|normalmente|habitualmente|generalmente|a veces|a menudo|suel[eo]n?|solemos|sol[ií]amos|sol[ií]a|cada vez que|de vez en cuando|por lo general|por costumbre|todos|todas|cada)$/i
const later = /^(?:cuando|en cuanto|apenas|hasta que|mientras|como)$/i

/** Buying that nobody orders is doubt; what makes a doubt of buying makes none of a search. */
export function withDoubts(units: readonly Unit[]): readonly Unit[] {
  const buys = units.some(({ tag }) => tag === 'buy')
  if (!buys) return units.map((unit) => (unit.tag === 'hypo' && weak.test(unit.text) ? asFiller(unit) : unit))
  return units.map((unit, at): Unit => {
    if (/^es$/i.test(unit.text) || (unit.tag === 'buy' && isToldOnly(units, at)))
      return { ...unit, tag: 'hypo', value: '' }
    if (unit.tag !== 'aside' || !/^si$/i.test(unit.text)) return unit
    const sentence = sentenceAfter(units, at)
    const bought = sentence.find(({ tag }) => tag === 'buy')
    if (bought === undefined || sentence.some(({ tag }) => tag === 'max')) return unit
    const isAvailable = available.test(sentence[0]?.text ?? '')
    if (isAvailable && !ofSelf.test(bought.text)) return asFiller(unit)
    return isAvailable ? unit : { ...unit, tag: 'hypo', value: '' }
  })
}

/** "Se compra mucho", "sin comprar", "no me dejan comprar", "siempre compro", "cuando cobre la pillo", "mi hija quiere comprar". */
function isToldOnly(units: readonly Unit[], at: number): boolean {
  const verb = units[at] as Unit
  if (ofOthers.test(verb.text)) return true
  // "Llevo toda la semana con dolor": how long it has been.
  const soon = units.slice(at + 1, at + 5)
  if (/^(?:llevo|llevar)$/i.test(verb.text) && soon.some(({ text }) => lasting.test(text))) return true
  const near = units.slice(Math.max(0, at - 24), at)
  const before = near.slice(near.findLastIndex(({ tag }) => tag === 'mark' || tag === 'oops') + 1)
  const last = before.at(-1)?.text ?? ''
  if (/^se$/i.test(last) && !infinitive.test(verb.text)) return true
  // "No me digas que la compre": what is wished of somebody is an order only of who wishes it.
  const isThat = before.slice(-3).some(({ text }) => /^(?:que|q)$/i.test(text)) || /^que /i.test(verb.text)
  const isWanted = before.some(({ tag }) => tag === 'need') && !before.some(({ text }) => /^no$/i.test(text))
  if (isThat && subjunctive.test(verb.text) && !isWanted) return true
  if (/^qui(?:ere|eren|so|sieron)$/i.test(last)) return true
  if (before.slice(-2).some(({ text }) => /^(?:suel[eo]n?|solemos|sol[ií]a(?:mos|n)?)$/i.test(text)))
    return true
  if (infinitive.test(verb.text)) {
    const isWished = before.some(
      ({ tag, text }) => (tag === 'need' && !/quier[ae]n?$/i.test(text)) || asking.test(text),
    )
    if (isWished) return false
    return /^(?:sin|para|de|por|al)$/i.test(last) || before.some(isToldVerb)
  }
  if (!ofSelf.test(verb.text)) return false
  const around = [...before, ...sentenceAfter(units, at).slice(0, 8)]
  return around.some(({ text }) => habit.test(text)) || before.some(({ text }) => later.test(text))
}

const lasting = /^(?:semanas?|d[ií]as?|mes|meses|años?|horas?|rato|tiempo|tarde|vida|desde|\p{L}+ndo)$/iu
const subjunctive =
  /(?:compr|encargu|orden|pill|llev|tom|agregu|adquier)e[sn]?$|(?:pid|coj|añad|adquier)a[sn]?$/i

const asking =
  /^(?:puedes?|podr[ií]as?|me puedes?|me podr[ií]as?|pod[eé]s|voy a|vamos a|vas a|a|favor|quiero|deseo)$/i

function isToldVerb({ tag, text }: Unit, at: number, all: readonly Unit[]): boolean {
  return (
    tag === 'content' && /^(?:me|se|nos|os|le|les|lo|no)$/i.test(all[at - 1]?.text ?? '') && text.length > 2
  )
}

function sentenceAfter(units: readonly Unit[], at: number): readonly Unit[] {
  const rest = units.slice(at + 1, at + 24)
  const end = rest.findIndex(({ tag, value }) => tag === 'mark' && /[.!?\n;]/.test(value))
  return end < 0 ? rest : rest.slice(0, end)
}

/** Words that make a doubt of buying, and of nothing else. */
const weak =
  /^(?:un amigo|mi amigo|antes|antes de|antes de que|después de|despues de|tengo que|hay que|cada vez que|la gente|mucha gente|puedo|se puede|se pueden|en caso de|caso de|casi|pensaba|debo|imagina|otros clientes|es mejor|que yo)$/i
