import type { Spoken } from '../../understood.ts'
import type { Tag } from '../lexicon.ts'
import type { Unit } from '../unit.ts'
import { withOptions } from './options.ts'
import { withQuestions } from './questions.ts'
import { withoutStories, withoutVerbs } from './stories.ts'
import { withTurns } from './turns.ts'
import { asFiller } from './unit-kinds.ts'

/** What Spanish says by its grammar rather than by words, brought into the order that all languages share. */
export function readSpanish(units: readonly Unit[], spoken: Spoken): readonly Unit[] {
  return withoutStories(
    withoutVerbs(
      withQuestions(
        withOptions(withAwaited(withComplaints(withTurns(units), spoken), spoken), spoken),
        spoken,
      ),
    ),
  )
}

/** "¿Y mi paquete?", "llevo una semana esperando": what was bought, and nothing that is asked of it, is asked after. */
function withAwaited(units: readonly Unit[], { hasPurchase }: Spoken): readonly Unit[] {
  if (!hasPurchase || units.some(({ tag }) => asking.has(tag)) || !units.some(isAwaited)) return units
  return units.map((unit) => {
    if (isAwaited(unit)) return { ...unit, tag: 'follow', value: '' }
    return unit.tag === 'mark' || unit.tag === 'and' ? unit : asFiller(unit)
  })
}

function isAwaited({ tag, text }: Unit): boolean {
  return tag === 'purchase' || /^(?:esperando|esper[oa]|esperamos)$/i.test(text)
}

const asking: ReadonlySet<Tag> = new Set([
  'search',
  'need',
  'show',
  'buy',
  'compare',
  'follow',
  'cancel',
  'return',
  'why',
  'retry',
  'fail',
  'help',
  'change',
  'address',
  'card',
  'limit',
  'person',
  'chat',
  'nobuy',
  'thank',
  'past',
  'hypo',
  'yes',
  'oops',
] satisfies Tag[])

const arrived =
  /^(?:(?:me |nos |ha |han |me ha |me han )*(?:lleg[oó]|llegado|llegaron|vino|venido|vinieron|trajeron|traído|mandaron|mandado|enviado|enviaron|est[aá]|viene))$/i
const broken =
  /^(?:rot[oa]s?|dañad[oa]s?|defectuos[oa]s?|golpead[oa]s?|abollad[oa]s?|rajad[oa]s?|incomplet[oa]s?|descosid[oa]s?|manchad[oa]s?|usad[oa]s?|equivocad[oa]s?|rayad[oa]s?|partid[oa]s?|quebrad[oa]s?|estropead[oa]s?|averiad[oa]s?|desportillad[oa]s?|hech[oa]s?)$/i

/** "Me ha llegado la lámpara rota", "quiero cambiar las botas por otro número": what was bought is to go back. */
function withComplaints(units: readonly Unit[], { hasPurchase }: Spoken): readonly Unit[] {
  if (!hasPurchase || units.some(({ tag }) => tag === 'search' || tag === 'return' || tag === 'cancel'))
    return units
  const isBroken = units.some(({ text }) => broken.test(text))
  const came = isBroken ? units.findIndex(({ text }) => arrived.test(text)) : -1
  const changing = units.findIndex(({ text }) => /^cambi(?:ar|arl[oa]s?|arme|o)$/i.test(text))
  const isForOther = changing >= 0 && units.slice(changing).some(({ text }) => /^por$/i.test(text))
  const at = came >= 0 ? came : isForOther ? changing : -1
  if (at < 0) return units
  return units.map((unit, place) => {
    if (place === at) return { ...unit, tag: 'return', value: '' }
    return unit.tag === 'follow' || unit.tag === 'need' || unit.tag === 'more' || broken.test(unit.text)
      ? asFiller(unit)
      : unit
  })
}
