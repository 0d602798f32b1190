import ts from 'typescript'

/**
 * How a guard is taken away from the statement, property or argument behind its mark: that goes (`gone`); its condition, that of an `if` or
 * of `c ? a : b`, else the value that is returned or assigned, becomes false (`never`) or true (`always`); or this text in it, which stands
 * there once, goes or becomes another one.
 */
type Taking = 'gone' | 'never' | 'always' | Text
type Text = readonly [find: string, replace?: string]

/** An entry of the list. Its place in the code, and what it keeps, are said by its mark there: `// guard NAME: what it keeps`. */
export type Listed = {
  /** The name of its mark; of several guards with one mark, `NAME/WHICH`. */
  readonly id: string
  readonly mark: string
  readonly how: Taking
  /** Under `server/`, as few test files as possible. One of them must fail. Null: the tests beside the file that has the mark. */
  readonly killers: readonly string[] | null
  /** Only the tests whose names match, where the files hold many others. */
  readonly only?: string
}

/** One place in the code that protects money or authority, and the tests that must fail without it. */
export type Guard = Pick<Listed, 'id' | 'only'> & {
  /** The guarantee that does not hold without it. */
  readonly keeps: string
  /** Under `server/`. */
  readonly file: string
  readonly killers: readonly string[]
} & (
    | Pick<Listed, 'mark' | 'how'>
    /** In a migration, which keeps every byte after it was shipped: the text is looked for in the whole file. */
    | { readonly mark: null; readonly how: Text }
  )

type Entries = Readonly<Record<string, Taking | { readonly how: Taking; readonly only: string }>>

export function missedBy(killers: readonly string[] | null, entries: Entries): Listed[] {
  return Object.entries(entries).map(([id, entry]) => {
    const [mark = id] = id.split('/')
    return { id, mark, killers, ...(typeof entry === 'object' && 'how' in entry ? entry : { how: entry }) }
  })
}

/** Missed by the tests beside the file. */
export function missedBeside(entries: Entries): Listed[] {
  return missedBy(null, entries)
}

/** A line of the program that marks what stands behind it. */
export const markLine = /^[ \t]*\/\/ guard ([a-z0-9-]+): (\S.*)$/gm

/** The file without the guard. Throws when what stands behind the mark cannot be taken away so. */
export function without(guard: Guard, source: string): string {
  try {
    if (guard.mark === null) return changed(source, 0, source.length, guard.how)
    return withoutMarked(source, guard.mark, guard.how)
  } catch (error) {
    throw new Error(
      `guard ${guard.id} in ${guard.file}: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

function withoutMarked(source: string, mark: string, how: Taking): string {
  const at = [...source.matchAll(markLine)].find(([, name]) => name === mark)?.index
  const node = at === undefined ? undefined : nodeBehind(treeOf(source), at)
  if (!node) throw new Error('nothing stands behind its mark')
  if (how === 'gone') {
    const end = node.getEnd()
    return put(source, node.getStart(), source[end] === ',' ? end + 1 : end, '')
  }
  if (typeof how !== 'string') return changed(source, node.getStart(), node.getEnd(), how)
  const condition = conditionOf(node)
  if (!condition) throw new Error(`behind its mark stands neither an if nor a value, which "${how}" needs`)
  return put(source, condition.getStart(), condition.getEnd(), String(how === 'always'))
}

function changed(source: string, from: number, to: number, [find, replace = '']: Text): string {
  const text = source.slice(from, to)
  const at = text.indexOf(find)
  if (find === replace) throw new Error('it is replaced by itself')
  if (at < 0 || text.includes(find, at + 1))
    throw new Error(`this text has to stand there exactly once, or its entry another one: ${find}`)
  return put(source, from + at, from + at + find.length, replace)
}

const trees = new Map<string, ts.SourceFile>()

function treeOf(source: string): ts.SourceFile {
  const known = trees.get(source)
  if (known) return known
  const tree = ts.createSourceFile('', source, ts.ScriptTarget.Latest, true)
  trees.set(source, tree)
  return tree
}

/** The largest node that begins behind a comment at this position. */
function nodeBehind(node: ts.Node, at: number): ts.Node | undefined {
  return ts.forEachChild(node, (child) => {
    if (child.getEnd() <= at || child.getFullStart() > at) return undefined
    return child.getStart() > at ? child : nodeBehind(child, at)
  })
}

function conditionOf(node: ts.Node): ts.Expression | undefined {
  if (ts.isIfStatement(node)) return node.expression
  const value = givenBy(node)
  let inner = value
  while (inner && ts.isParenthesizedExpression(inner)) inner = inner.expression
  return inner && ts.isConditionalExpression(inner) ? inner.condition : value
}

function givenBy(node: ts.Node): ts.Expression | undefined {
  if (ts.isReturnStatement(node)) return node.expression
  if (ts.isPropertyAssignment(node)) return node.initializer
  if (ts.isVariableStatement(node)) return node.declarationList.declarations[0]?.initializer
  if (!ts.isExpressionStatement(node) || !ts.isBinaryExpression(node.expression)) return undefined
  const { operatorToken, right } = node.expression
  return operatorToken.kind === ts.SyntaxKind.EqualsToken ? right : undefined
}

function put(source: string, from: number, to: number, text: string): string {
  return source.slice(0, from) + text + source.slice(to)
}
