import type { Language } from '../understood.ts'
import { en } from './english/words.ts'
import { fr } from './french/words.ts'
import { de } from './german/words.ts'
import { ja } from './japanese/words.ts'
import { fold, type Lexicon, makeLexicon } from './lexicon.ts'
import { es } from './spanish/words.ts'

export const lexicons: Readonly<Record<Language, Lexicon>> = {
  en: makeLexicon(en),
  de: makeLexicon(de),
  fr: makeLexicon(fr),
  es: makeLexicon(es),
  ja: makeLexicon(ja),
}

/** Letters and endings that one language has more than the others: what tells the language of words that no table has. */
const signs: readonly [Exclude<Language, 'ja'>, RegExp][] = [
  [
    'de',
    /ß|iert$|cht|heit$|[lnr]z|kn|(?:\p{L}{3})(?:bett|betten|tisch|stuhl|stühle|licht|lichter?|brille|brillen|decke|decken|kissen|lampe|lampen|tasche|taschen|hose|hosen|jacke|jacken|schuhe?|halter|kasten|messer|seil|regal|bürste|rad|räder|korb|ständer|topf|becher|flasche|flaschen|maschine|gerät|matte|kleid|hemd|mütze|kette|buch|stifte?|leine|futter|spiel|zelt|haken|riemen|gurt|beutel|dose|dosen|gläser|kerzen?|rahmen|schrank|hülle|stecker|zeug|säge|bohrer|schere)$|ä|ö|ü|sch|[aou]e(?:ck|l|n|r|ss|t)|ung$|keit$|lich|pf|[a-z]kocher|tz/iu,
  ],
  ['fr', /ç|è|ê|à|ù|œ|î|eau|eux$|oire$|ère$|ette$|ille$|[lds]'|quoi|ée?$/iu],
  ['es', /^hola$|ñ|¿|¡|ó|í|ción|dor$|dora$|illa$|uelo|ito$|ita$|ll[ao]$|ú/iu],
  ['en', /ght|wh|th|oo|sh$|ing$|ck$|ee|ty$/iu],
]

const spaced = ['en', 'de', 'fr', 'es'] as const

/** The language of a message by its letters and words. Without evidence it is the one that was spoken before, else English. */
export function detectLanguage(
  text: string,
  spoken: Language | null,
  shown: readonly string[] = [],
): Language {
  if (/[\u3040-\u30ff\u3400-\u9fff]/u.test(text)) return 'ja'
  if (spoken === 'ja' && !/\p{L}{4}/u.test(text)) return 'ja'
  const scores = { en: 0, de: 0, fr: 0, es: 0 }
  // The names of what was shown are of no language.
  const named = new Set(shown.flatMap((title) => title.toLowerCase().split(' ')).slice(0, 500))
  for (const word of text
    .toLowerCase()
    .replace(/(\p{L})\1{2,}/gu, '$1')
    .match(/[\p{L}\p{M}¿¡]+(?:'[\p{L}\p{M}]*)?/gu) ?? [])
    if (!named.has(word)) weigh(word, scores)
  // "Du" is German too, and never before a number.
  if (/\bdu \d/i.test(text)) scores.fr += 0.5
  if (text.includes('¿') || text.includes('¡')) scores.es += 2
  if (spoken !== null && spoken !== 'ja') scores[spoken] += 0.7
  const best = spaced.reduce((one, other) => (scores[other] > scores[one] + 0.01 ? other : one))
  if (scores[best] === 0) return spoken ?? 'en'
  return best
}

function weigh(word: string, scores: Record<(typeof spaced)[number], number>): void {
  const parts = /^(\p{L}{1,2}')(.+)$/u.exec(word)
  const knowing = spaced.filter((language) => {
    const { vocabulary } = lexicons[language]
    if (language === 'fr' && parts) return vocabulary.has(fold(parts[1] ?? '', 'fr'))
    return vocabulary.has(fold(word, language))
  })
  for (const language of knowing) scores[language] += 1 / knowing.length
  if (/[äöüß]/u.test(word)) scores.de += 0.5
  if (word.length < 3) return
  for (const [language, sign] of signs)
    if (sign.test(word)) scores[language] += knowing.length === 0 ? 0.4 : 0.1
}
