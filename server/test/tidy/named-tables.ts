/** A table that SQL names, and where in the text. */
type NamedTable = { table: string; at: number }

type Token = { text: string; at: number }

/** What is neither code nor a name: comments, and strings of SQL. */
const skipped = /\/\*[\s\S]*?\*\/|--[^\n]*|'(?:[^']|'')*'/y
const token = /"?[a-z_][a-z0-9_]*"?(?:\."?[a-z_][a-z0-9_]*"?)*|\$\{?[a-z0-9_]*\}?|[^\s]/iy

/** The words that a table's name comes after. `using` is that of `delete`: that of a join is followed by a parenthesis. */
const openers = new Set(['from', 'join', 'update', 'into', 'using', 'table', 'truncate'])
const between = new Set(['only', 'lateral'])
/** What a list of tables ends at, besides a closing parenthesis. */
const listEnds = new Set([
  'where',
  'on',
  'set',
  'group',
  'order',
  'limit',
  'returning',
  'union',
  'select',
  'for',
  'window',
  'values',
])

/**
 * The tables that a text of SQL reads or writes, by the words before their names; those of `known` alone, without what the text itself
 * calls so (`with orders as (…)`).
 */
export function namedTables(text: string, known: (name: string) => boolean): NamedTable[] {
  const tokens = tokensOf(text)
  const own = new Set(tokens.flatMap(({ text: name }, index) => (isCommonTable(tokens, index) ? [name] : [])))
  const found: NamedTable[] = []
  // For each open parenthesis, whether a comma in it goes on with a list of tables.
  const lists = [false]
  for (const [index, { text: word }] of tokens.entries()) {
    if (word === '(') lists.push(false)
    else if (word === ')' && lists.length > 1) lists.pop()
    else if (listEnds.has(word)) lists[lists.length - 1] = false
    const opens = openers.has(word) || (word === ',' && lists.at(-1))
    if (!opens) continue
    if (word === 'from' || word === 'using') lists[lists.length - 1] = true
    let next = index + 1
    while (between.has(tokens[next]?.text ?? '')) next += 1
    const name = tokens[next]
    if (name && known(name.text) && !own.has(name.text)) found.push({ table: name.text, at: name.at })
  }
  return found
}

function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  for (let at = 0; at < text.length; ) {
    skipped.lastIndex = at
    const comment = skipped.exec(text)
    if (comment) {
      at += comment[0].length
      continue
    }
    token.lastIndex = at
    const found = token.exec(text)
    if (found) tokens.push({ text: found[0].toLowerCase().replaceAll('"', ''), at })
    at += found?.[0].length ?? 1
  }
  return tokens
}

/** `name as (`, `name (columns) as materialized (`. */
function isCommonTable(tokens: readonly Token[], index: number): boolean {
  let next = index + 1
  if (tokens[next]?.text === '(') {
    while (next < tokens.length && tokens[next]?.text !== ')') next += 1
    next += 1
  }
  if (tokens[next]?.text !== 'as') return false
  next += 1
  while (['not', 'materialized'].includes(tokens[next]?.text ?? '')) next += 1
  return tokens[next]?.text === '(' && /^[a-z_]+$/.test(tokens[index]?.text ?? '')
}
