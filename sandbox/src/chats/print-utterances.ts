import type { Said, Utterances } from './utterance.ts'
import { kinds } from './utterance.ts'
import { en } from './utterances/en.ts'

/** Tells, as JSON, what people say to an agent that shops and what they mean by it: with `fresh`, what its authors have not read. */
const languages: Readonly<Record<string, Utterances>> = { en }

function told(said: Said, language: string, kind: string) {
  const { spoken, says, means, or = [] } = said
  return { language, kind, says, spoken: spoken && { language, ...spoken }, readings: [means, ...or] }
}

const all = Object.entries(languages).flatMap(([language, utterances]) =>
  kinds.flatMap((kind) => utterances[kind].map((said) => told(said, language, kind))),
)
process.stdout.write(`${JSON.stringify(all)}\n`)
