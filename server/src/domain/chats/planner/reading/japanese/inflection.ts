/** What a Japanese verb ends on before its endings. `te` has the endings of て and た, `any` those of both of a verb like 見せる. */
export type Base = 'a' | 'i' | 'u' | 'e' | 'o' | 'te' | 'any' | 'adjective'

/** What an inflected verb says: its tense, and whether somebody is asked for it. */
export type Mood =
  | 'plain'
  | 'wish'
  | 'request'
  | 'te'
  | 'will'
  | 'past'
  | 'lasting'
  | 'not'
  | 'must'
  | 'if'
  | 'can'
  | 'passive'

const rows: Readonly<Record<string, readonly [a: string, i: string, e: string, o: string, te: string]>> = {
  う: ['わ', 'い', 'え', 'お', 'っ'],
  く: ['か', 'き', 'け', 'こ', 'い'],
  ぐ: ['が', 'ぎ', 'げ', 'ご', 'い'],
  す: ['さ', 'し', 'せ', 'そ', 'し'],
  つ: ['た', 'ち', 'て', 'と', 'っ'],
  ぬ: ['な', 'に', 'ね', 'の', 'ん'],
  ぶ: ['ば', 'び', 'べ', 'ぼ', 'ん'],
  む: ['ま', 'み', 'め', 'も', 'ん'],
  る: ['ら', 'り', 'れ', 'ろ', 'っ'],
}

/** The stems of a verb in its dictionary form (探す, 見せる), of a noun that makes one with する (購入), or of an adjective (重い). */
export function stemsOf(lemma: string, kind: 'verb' | 'five' | 'noun' | 'adjective'): [string, Base][] {
  const last = lemma.at(-1) ?? ''
  const stem = lemma.slice(0, -1)
  if (kind === 'adjective') return [[stem, 'adjective']]
  const row = rows[last]
  if (kind === 'noun' || !row)
    return [
      [`${lemma}し`, 'any'],
      [`${lemma}する`, 'u'],
      [`${lemma}すれ`, 'e'],
      [`${lemma}さ`, 'a'],
      [`${lemma}しよ`, 'o'],
      [`${lemma}でき`, 'e'],
      [`${lemma}出来`, 'e'],
    ]
  const isIchidan = kind === 'verb' && last === 'る' && ichidan.test(stem)
  if (isIchidan)
    return [
      [stem, 'any'],
      [lemma, 'u'],
      [`${stem}れ`, 'e'],
      [`${stem}よ`, 'o'],
      [`${stem}さ`, 'a'],
    ]
  const te = lemma.endsWith('行く') ? 'っ' : row[4]
  return [
    [stem + row[0], 'a'],
    [stem + row[1], last === 'す' ? 'any' : 'i'],
    [lemma, 'u'],
    [stem + row[2], 'e'],
    [stem + row[3], 'o'],
    ...(last === 'す' ? [] : [[stem + te, 'te'] as [string, Base]]),
  ]
}

const ichidan = /[えけせてねへめれげぜでべぺいきしちにひみりぎじびぴ]$|[見着似煮寝出得経]$/u

/** Verbs that help another one, in any order, as they follow て and each other. */
const helpers =
  '(?:(?<=(?:もらっ|いただい|頂い|貰っ)て)も(?:いい|よろしい|よい|良い|宜しい|大丈夫)|くれ|ください|下さい|くださ[いるっれ]|もら[いうえっわおた]|もろ|貰[いうえっわお]|いただ[いきくけ]|頂[いきくけ]|とき(?=ゃ)|ゃ|おい|おき|おく|おけ|おり|おら|おる|いる|いっ|いき|いく|い(?=[てたなまれん])|と[いくけき]|ど[いくけき]|み(?=[てたま])|みる|みよ|や[っりるれ]|あげ|ほし[いくか]|欲し[いくか]|ちょ(?:うだい|ーだい)|頂戴|しま[っいうえわ]|ちゃ[うっいおえ]?|じゃ[うっいおえ]|き(?=[てたま])|く[るれ]|る|たい|たく|たかっ|たがっ|たら|たり|た|て|で(?=ない)|ない|なく|なかっ|なきゃ|なけれ|ます|まし|ません|ませ|よう|られ|れ|せ|そう|過ぎ|すぎ|(?<=[れけ])ば|ん(?=です|だ)|う|っ(?=[てた])|だ(?=[いろ])|幸い|助か[るり]|らえ)*'
const chains: Readonly<Record<Base, RegExp>> = {
  a: new RegExp(
    `(?:ない|なく|なかっ|なきゃ|なけれ|なけりゃ|ず|ん(?=[でとかよわ。、!?]|$)|へん|れ(?=[るたてなま])|せ(?=[るたてなま])|させ|られ|な(?=い))${helpers}`,
    'uy',
  ),
  i: new RegExp(
    `(?:ます|まし|ません|ませ|たい|たく|たかっ|たがっ|ながら|そう|なさい|すぎ|やす[いくか]|にく[いくか])${helpers}`,
    'uy',
  ),
  u: /(?:な(?=よ|[。!]|$))?/uy,
  e: new RegExp(
    `(?:る|ます|まし|ない|なく|なかっ|なきゃ|ば|(?<=でき|出来)た(?!い)|(?<=でき|出来)て|ません|ん(?=[かの?]|$))${helpers}`,
    'uy',
  ),
  o: /う/uy,
  te: new RegExp(
    `(?:[てで](?!き[るなま])|[ただ]ら(?![しれ])|[ただ]り(?=し|す|$)|た(?!い)|だ(?=[。!?、らりっのけかよねわ]|$)|ちゃ|じゃ(?=[うっいお])|と(?=[いくけき])|ど(?=[いくけ]))${helpers}`,
    'uy',
  ),
  any: new RegExp(
    `(?:たい|たく|たかっ|たがっ|たら(?![しれ])|たり(?=し|す|$)|て|た|ちゃ|と(?=[いくけき][てた]|[いく](?:ね|よ|れ|$))|ます|まし|ません|ませ|ながら|そう|なさい|すぎ|やす[いくか]|にく[いくか]|な(?=い)|ない|なく|なかっ|なきゃ|なけれ|ず|られ|させ|よう|ろ(?![ん])|れ(?=る|ない|ば))${helpers}`,
    'uy',
  ),
  adjective:
    /(?:いそう|い|くて|くな[いくかっるり](?:て|た|ない)?|かった|ければ|く|すぎ(?:る|て|た|ない)?|さ(?=[がはもをに])|め(?=の|[、。]|$)|そうな?)/uy,
}

/** The endings that stand at a place of the text after a stem, or null where none of this stem does. */
export function endingAt(text: string, offset: number, base: Base): string | null {
  const chain = chains[base]
  chain.lastIndex = offset
  return chain.exec(text)?.[0] ?? null
}

export function moodOf(base: Base, ending: string): Mood {
  if (base === 'o' || /よう$/u.test(ending)) return 'will'
  if (base === 'u') return ending === '' ? 'plain' : 'not'
  if (base === 'e' && ending !== '') return /ば$/u.test(ending) ? 'if' : 'can'
  if (/^な(?:きゃ|けれ|けりゃ)|なくちゃ|たく(?:て|な(?:って|った))$/u.test(ending)) return 'must'
  if (/^(?:させ|せ)て(?:いただ|頂|くださ|下さ|もら)/u.test(ending)) return 'request'
  if (base === 'a' && !/^(?:な|ず|ん|へ)/u.test(ending)) return 'passive'
  if (/(?:[ただ]ら|ば|れば|ときゃ|ても|でも)$/u.test(ending)) return 'if'
  if (
    /たかった$|(?:くれ|もらっ|いただい|頂い)(?:て?い?た|ました)$|(?:くれ|もらい|いただき)まし/u.test(ending)
  )
    return 'past'
  if (
    /^(?:たくな|な|ず|ん|へ)|^ません|(?:て|で)(?:い|は)?(?:ない|ません|なかった)$|ほしくな|欲しくな/u.test(
      ending,
    )
  )
    return 'not'
  if (
    /なさい|くれ|くださ|下さ|もら|もろ|貰|らえ|いただ|頂|ほし|欲し|だい|頂戴|ちゃって$|[とど]い[てた]?$|[とど]け$|おけ$/u.test(
      ending,
    )
  )
    return 'request'
  if (/(?:て|で)$/u.test(ending)) return 'te'
  if (/たい$|たく$/u.test(ending)) return 'wish'
  if (/(?:た|だ|まし)$/u.test(ending)) return 'past'
  if (/^[てで](?:い|お)/u.test(ending) || /^(?:て|で)(?:る|ます)/u.test(ending)) return 'lasting'
  if (/られ|させ/u.test(ending)) return 'passive'
  return 'plain'
}

const kanji = '[\\u3400-\\u9fff々]'
const before = `(?=${kanji}|[\\u30a1-\\u30f6a-z\\d]|やつ|もの|ので|のに|から|けど|のが|のを|のは|のに|ので|ん(?:だ|です)|んすけど|[。、,.!?\\s]|$)`
const unknown: readonly (readonly [RegExp, Base])[] = [
  [
    new RegExp(
      `${kanji}{1,2}(?:い(?=[でだてた])|[ぁ-しすせそちっつなにぬねはひふへほまみむめもらりるれろわば-ぼ]?(?:ん(?=[でだ][^す])|し(?=[てた])|っ(?=た)|っ(?=て(?:る|た|い[るたてま]|ない|ま[すし]|しま|き[たてま]|お[りい]|も|から|[、。]))|[えけせてねめれげぜべきちみりぎじび](?=て|た(?!い)|ちゃ)))((?:[てでだち]|た(?!い))${helpers})`,
      'uy',
    ),
    'te',
  ],
  [
    new RegExp(
      `(?![一二三四五六七八九十百千万]つ)${kanji}{1,2}[ぁ-ん]?[うくぐすつぬぶむる]()${before}`,
      'uy',
    ),
    'u',
  ],
  [
    new RegExp(`${kanji}{1,2}(?:し|らし|かし)(い|くて|かった|くない)(?=[^ぁ-ん]|の|です|けど|から|$)`, 'uy'),
    'adjective',
  ],
  [
    new RegExp(
      `${kanji}{1,2}[ぁ-ん]?[らわかがさたばまなれべえけせみきじめげ](な(?:い|かった|くて|く|きゃ)${helpers})`,
      'uy',
    ),
    'a',
  ],
  [
    new RegExp(
      `${kanji}{2}(?:する()|し((?:て|た|ま[すし]|な[いく])${helpers})|(?:され|させ|でき)([るたてな]${helpers}))`,
      'uy',
    ),
    'any',
  ],
]

/** A verb or an adjective that no table has, by its shape: kanji and the endings that only verbs have. */
export function inflectedAt(text: string, offset: number): { length: number; mood: Mood } | null {
  for (const [pattern, base] of unknown) {
    pattern.lastIndex = offset
    const found = pattern.exec(text)
    if (found) {
      const ending = found.slice(1).find((each) => each !== undefined) ?? ''
      return { length: found[0].length, mood: ending === '' ? 'plain' : moodOf(base, ending) }
    }
  }
  return null
}
