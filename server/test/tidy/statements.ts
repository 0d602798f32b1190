import ts from 'typescript'
import { namedTables } from './named-tables.ts'
import { owners } from './owners.ts'
import { at, everyNode, type Finding, isServerSource, type Rule, type SourceFile } from './rule.ts'

const sqlHome = /\.sql\.ts$|^server\/src\/platform\//
const comments = String.raw`(?:/\*[\s\S]*?\*/\s*|--[^\n]*\n\s*)*`

// All lower or all upper case: "Select one from the list" is a sentence.
const openings = [
  String.raw`select\s[\s\S]*\sfrom\s`,
  String.raw`select\s+[\w.]+\s*\(`,
  String.raw`insert\s+into\s`,
  String.raw`update\s+(?:only\s+)?[\w."$\{\}]+(?:\s+(?:as\s+)?\w+)?\s+set\s`,
  String.raw`delete\s+from\s`,
  String.raw`merge\s+into\s`,
  String.raw`truncate\s+(?:table\s+)?\w`,
  String.raw`lock\s+table\s`,
  String.raw`with\s+(?:recursive\s+)?[\w"]+\s*(?:\([^)]*\)\s*)?as\s+(?:(?:not\s+)?materialized\s+)?\(`,
  String.raw`(?:create|alter|drop)\s+(?:table|index|schema|role|function|view|policy|type|database)\s`,
]
const lower = new RegExp(`^\\s*${comments}(?:${openings.join('|')})`)
const upper = new RegExp(`^\\s*${comments}(?:${openings.map(raise).join('|')})`)

const builderCalls = ['selectFrom', 'insertInto', 'updateTable', 'deleteFrom', 'mergeInto']
const tenantless = /\/\*\s*tenantless:\s*\S[^*]*\*\//

/** Rules about SQL: where it stands, and that every statement of a slice names its tenant. */
export const statementRules: readonly Rule[] = [
  {
    name: 'sql-has-a-place',
    applies: (path) => isServerSource(path) && !sqlHome.test(path),
    find: (file) => {
      const what = 'SQL stands in *.sql.ts or in platform'
      return [...literals(file).filter(isStatement), ...builderUses(file), ...taggedSql(file)].map(
        ({ node }) => at(file, node, what),
      )
    },
  },
  {
    name: 'statement-names-tenant',
    applies: (path) => /^server\/src\/domain\/.*\.sql\.ts$/.test(path),
    find: (file) => [
      ...literals(file)
        .filter(isStatement)
        .flatMap(({ node, text }) => tenantFindings(file, node, text)),
      ...builderUses(file).flatMap(({ node }) =>
        tenantFindings(file, node, enclosingFunction(node).getText()),
      ),
    ],
  },
]

export type Literal = { node: ts.Node; text: string }

function tenantFindings(file: SourceFile, node: ts.Node, text: string): Finding[] {
  if (tenantless.test(text)) return []
  // Over fragments alone: each of them names its tenant, or says why it does not.
  if (ts.isTaggedTemplateExpression(node.parent) && namedTables(text, isTable).length === 0) return []
  const bare = text.replace(/\/\*[\s\S]*?\*\/|--[^\n]*/g, '')
  // A parameter `$account_id` that is compared with nothing protects nobody.
  const missing = [/(?<![\w$])(?:\w+_)?account_id\b/, /(?<![\w$])mode\b/]
    .map((name, index) => (name.test(bare) ? undefined : ['account_id', 'mode'][index]))
    .filter((name) => name !== undefined)
  if (missing.length === 0) return []
  return [
    at(file, node, `the statement does not name ${missing.join(' and ')} (or say /* tenantless: why */)`),
  ]
}

export function isStatement({ text }: Literal): boolean {
  return lower.test(text) || upper.test(text)
}

/**
 * Every string in the file with constants of the same file filled in: a statement put together from fragments is judged whole,
 * and a fragment that only serves other strings is not judged alone.
 */
export function literals(file: SourceFile): Literal[] {
  const constants = new Map<string, ts.Expression>()
  const found: ts.Expression[] = []
  const inStrings = new Set<string>()
  const elsewhere = new Set<string>()
  for (const node of everyNode(file.tree())) {
    if (ts.isIdentifier(node) && !ts.isVariableDeclaration(node.parent)) {
      const serves = ts.isTemplateSpan(node.parent) || ts.isBinaryExpression(node.parent)
      ;(serves ? inStrings : elsewhere).add(node.text)
    }
    if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name) && node.initializer !== undefined) {
      constants.set(node.name.text, node.initializer)
    }
    if (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node)) found.push(node)
  }
  const fragments = new Set(
    [...constants].flatMap(([name, node]) => (inStrings.has(name) && !elsewhere.has(name) ? [node] : [])),
  )
  return found
    .filter((node) => !isImport(node) && !fragments.has(node))
    .map((node) => ({ node, text: expand(node, constants, 5) }))
}

function expand(node: ts.Expression, constants: Map<string, ts.Expression>, depth: number): string {
  if (ts.isStringLiteralLike(node)) return node.text
  if (ts.isTemplateExpression(node)) {
    const spans = node.templateSpans.map(
      ({ expression, literal }) => expand(expression, constants, depth) + literal.text,
    )
    return node.head.text + spans.join('')
  }
  if (ts.isBinaryExpression(node) && node.operatorToken.kind === ts.SyntaxKind.PlusToken) {
    return expand(node.left, constants, depth) + expand(node.right, constants, depth)
  }
  if (ts.isTaggedTemplateExpression(node)) return expand(node.template, constants, depth)
  if (ts.isAsExpression(node) || ts.isSatisfiesExpression(node))
    return expand(node.expression, constants, depth)
  const constant = ts.isIdentifier(node) && depth > 0 ? constants.get(node.text) : undefined
  // Something stands here that only running would tell; a word keeps the text around it readable as SQL.
  return constant === undefined ? 'x' : expand(constant, constants, depth - 1)
}

function isImport(node: ts.Node): boolean {
  return ts.isImportDeclaration(node.parent) || ts.isExportDeclaration(node.parent)
}

function builderUses(file: SourceFile): { node: ts.Node }[] {
  return [...everyNode(file.tree())]
    .filter(
      (node) =>
        ts.isCallExpression(node) &&
        ts.isPropertyAccessExpression(node.expression) &&
        builderCalls.includes(node.expression.name.text),
    )
    .map((node) => ({ node }))
}

function taggedSql(file: SourceFile): { node: ts.Node }[] {
  return [...everyNode(file.tree())]
    .filter((node) => ts.isTaggedTemplateExpression(node) && /(?:^|\.)sql$/.test(node.tag.getText()))
    .map((node) => ({ node }))
}

function enclosingFunction(node: ts.Node): ts.Node {
  let scope = node
  while (!ts.isFunctionLike(scope) && !ts.isSourceFile(scope.parent)) scope = scope.parent
  return scope
}

function raise(pattern: string): string {
  // Escapes such as \s stay; only the words of SQL go to upper case.
  return pattern.replace(/\\.|[a-z]+/g, (part) => (part.startsWith('\\') ? part : part.toUpperCase()))
}

function isTable(name: string): boolean {
  return owners.has(name)
}
