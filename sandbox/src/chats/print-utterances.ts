import { neverBuying } from './never-buying.ts'
import { kinds, type Said } from './utterance.ts'
import { de } from './utterances/de.ts'
import { en } from './utterances/en.ts'
import { es } from './utterances/es.ts'
import { fr } from './utterances/fr.ts'
import { de as freshDe } from './utterances/fresh/de.ts'
import { en as freshEn } from './utterances/fresh/en.ts'
import { es as freshEs } from './utterances/fresh/es.ts'
import { fr as freshFr } from './utterances/fresh/fr.ts'
import { ja as freshJa } from './utterances/fresh/ja.ts'
import { ja } from './utterances/ja.ts'

/** Tells, as JSON, what people say to an agent that shops, and what they mean by it. */
const sets: Readonly<Record<string, () => unknown>> = {
  known,
  fresh: freshOnes,
  // Whatever else they may mean.
  'never-buying': () => neverBuying,
}
const [name = 'known'] = process.argv.slice(2)
const set = sets[name]
if (set === undefined)
  throw new Error(`There is no set ${name}. The names are: ${Object.keys(sets).join(', ')}.`)
process.stdout.write(`${JSON.stringify(set())}\n`)

function known() {
  return Object.entries({ en, de, fr, es, ja }).flatMap(([language, utterances]) =>
    kinds.flatMap((kind) => utterances[kind].map((said) => tell(said, language, kind))),
  )
}

/** Written after the others, for measuring: the authors of the grammar do not read them. */
function freshOnes() {
  const languages = { en: freshEn, de: freshDe, fr: freshFr, es: freshEs, ja: freshJa }
  return Object.entries(languages).flatMap(([language, all]) =>
    all.map((said) => tell(said, language, said.kind)),
  )
}

function tell({ says, spoken, means, or = [] }: Said, language: string, kind: string) {
  return { language, kind, says, spoken: spoken ? { language, ...spoken } : null, readings: [means, ...or] }
}
