import ts from 'typescript'
import { at, everyNode, isServerSource, type Rule, type SourceFile } from './rule.ts'

/** Rules about what code may reach for by itself: environment, time, randomness, the terminal. */
export const purityRules: readonly Rule[] = [
  {
    name: 'environment-in-config',
    applies: (path) => isServerSource(path) && !/^server\/src\/platform\/config(?:\.ts$|\/|-)/.test(path),
    find: (file) =>
      find(file, (node) =>
        isMember(node, 'process', 'env') || importsFrom(node, ['process'], ['env'])
          ? 'configuration is read once, in platform/config'
          : undefined,
      ),
  },
  {
    name: 'time-and-chance-come-in',
    applies: (path) => isServerSource(path) && /^server\/src\/(?:domain|core|schema)\//.test(path),
    find: (file) =>
      find(file, (node) =>
        isMember(node, 'Date', 'now') ||
        isMember(node, 'Math', 'random') ||
        isMember(node, 'Temporal', 'Now') ||
        isClockRead(node)
          ? 'time and randomness come in through the context, so that tests own them'
          : undefined,
      ),
  },
  {
    name: 'no-console',
    applies: (path) => isServerSource(path) && !/^server\/src\/(?:main\.ts$|cli\/)/.test(path),
    find: (file) =>
      find(file, (node) =>
        (ts.isPropertyAccessExpression(node) || ts.isElementAccessExpression(node)) &&
        ts.isIdentifier(node.expression) &&
        node.expression.text === 'console'
          ? 'the log is structured and redacted; only the command line prints'
          : undefined,
      ),
  },
]

function find(file: SourceFile, judge: (node: ts.Node) => string | undefined): ReturnType<Rule['find']> {
  const findings: ReturnType<Rule['find']> = []
  for (const node of everyNode(file.tree())) {
    const what = judge(node)
    if (what !== undefined) findings.push(at(file, node, what))
  }
  return findings
}

/** `object.member`, also as `globalThis.object.member`, `object['member']` and `const { member } = object`. */
function isMember(node: ts.Node, object: string, member: string): boolean {
  if (ts.isPropertyAccessExpression(node))
    return node.name.text === member && isNamed(node.expression, object)
  if (ts.isElementAccessExpression(node)) {
    const { argumentExpression: key } = node
    return ts.isStringLiteralLike(key) && key.text === member && isNamed(node.expression, object)
  }
  if (
    ts.isVariableDeclaration(node) &&
    ts.isObjectBindingPattern(node.name) &&
    node.initializer !== undefined
  ) {
    const taken = node.name.elements.map(({ propertyName, name }) => (propertyName ?? name).getText())
    return taken.includes(member) && isNamed(node.initializer, object)
  }
  return false
}

function isNamed(node: ts.Expression, name: string): boolean {
  if (ts.isIdentifier(node)) return node.text === name
  return (
    ts.isPropertyAccessExpression(node) &&
    node.name.text === name &&
    node.expression.getText() === 'globalThis'
  )
}

/** `new Date()` and `Date()` read the clock; `new Date(value)` only converts. */
function isClockRead(node: ts.Node): boolean {
  if (ts.isNewExpression(node)) return isNamed(node.expression, 'Date') && (node.arguments?.length ?? 0) === 0
  return ts.isCallExpression(node) && isNamed(node.expression, 'Date')
}

function importsFrom(node: ts.Node, modules: string[], names: string[]): boolean {
  if (!ts.isImportDeclaration(node) || !ts.isStringLiteral(node.moduleSpecifier)) return false
  if (!modules.includes(node.moduleSpecifier.text.replace(/^node:/, ''))) return false
  const bindings = node.importClause?.namedBindings
  if (bindings === undefined || !ts.isNamedImports(bindings)) return false
  return bindings.elements.some(({ propertyName, name }) => names.includes((propertyName ?? name).text))
}
