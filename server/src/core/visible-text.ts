/**
 * What readers do not see and models read: controls, turns of the direction of writing, tags, fillers, and characters of no meaning.
 * Tabs and ends of lines are seen.
 */
const unseen = /(?![\t\n])[\p{Cc}\p{Co}\p{Default_Ignorable_Code_Point}\ufff9-\ufffb]/gu
/** Whatever may be one, or the half of one. It is asked of every answer, so it is a list and no classes, which take ten times as long. */
// biome-ignore-start lint/suspicious/noControlCharactersInRegex: they are what is looked for
// biome-ignore-start lint/suspicious/noMisleadingCharacterClass: halves and parts are looked for as well
const suspicious =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ud82f\ud834\udb40\udb80-\udbff\ue000-\uf8ff\ufe00-\ufe0f\ufeff\uffa0\ufff0-\ufffb]/
// biome-ignore-end lint/suspicious/noMisleadingCharacterClass: as above
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above
/** In JSON an escape can stand for one as well. */
const suspiciousJson = new RegExp(`${suspicious.source}|\\\\[ubfr]`)

/** Letters that are joined or kept apart by a joiner: not those of the scripts that join nothing. */
const joinedLetter =
  /(?![\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Hebrew}\p{Script=Common}])[\p{L}\p{M}]/u
const picture = /\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f/u
const pictured = /\p{Extended_Pictographic}/u
const han = /\p{Script=Han}/u
const mongolian = /\p{Script=Mongolian}/u
const nothing = /\s|\p{Cc}|\p{Cf}|\p{Variation_Selector}/u

/** A text as people see it, who then read the same as models do. What a language or a picture is written with stays. */
export function visibleText(text: string): string {
  if (!suspicious.test(text) && text.isWellFormed()) return text
  return text
    .toWellFormed()
    .replace(/\r\n?/g, '\n')
    .replace(unseen, (found: string, at: number, whole: string) => (isNeeded(found, at, whole) ? found : ''))
}

/** The same of all texts in a JSON document, whose other bytes stay as they are. */
export function visibleJson(json: string): string {
  if (!suspiciousJson.test(json)) return json
  return json.replace(literals, (literal) => {
    if (!suspiciousJson.test(literal)) return literal
    const text: unknown = JSON.parse(literal)
    const shown = visibleText(String(text))
    if (shown === text) return literal
    // A name that must not be empty says that there was one.
    return JSON.stringify(shown || '\ufffd')
  })
}

const literals = /"[^"\\]*(?:\\.[^"\\]*)*"/g

function isNeeded(found: string, at: number, whole: string): boolean {
  const before = lastOf(whole.slice(Math.max(0, at - 2), at))
  const point = found.codePointAt(0) ?? 0
  // The joiner and its opposite.
  if (point === 0x200d || point === 0x200c) {
    if (joinedLetter.test(before)) return true
    const after = String.fromCodePoint(whole.codePointAt(at + 1) ?? 0)
    return point === 0x200d && picture.test(before) && pictured.test(after)
  }
  // One that says in which form the character before it is written; more of them would be a text of their own.
  if (point >= 0xfe00 && point <= 0xfe0f) return before !== '' && !nothing.test(before)
  if (point >= 0xe0100 && point <= 0xe01ef) return han.test(before)
  if (point >= 0x180b && point <= 0x180f && point !== 0x180e) return mongolian.test(before)
  return false
}

/** The last character of a text, which may be of two halves. */
function lastOf(text: string): string {
  return [...text].at(-1) ?? ''
}
