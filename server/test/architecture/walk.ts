import ts from 'typescript'

/** The way of a value through functions, as the places that it reaches. */
type Walk = {
  /** Files in the order of the calls. Calls within one file, one after the other, are one stay. */
  stays: readonly string[]
  calls: number
  functions: number
}

type Code = ts.FunctionLikeDeclaration & { body: ts.Node }
/** What of a function has the value: parameters by their place, and -1 for `this`. */
type Holders = ReadonlySet<number>

/**
 * Follows one parameter in the order of the code, through all branches. The value goes on into every call that it, or a
 * name made from it, is an argument or the object of; each function is gone through once for the same parameters, and counted each time.
 * Only functions within `isInside` are entered: callbacks are read where they are written, and what is chosen at run time is not followed.
 */
export function walk(
  program: ts.Program,
  start: { path: string; name: string; parameter: string },
  isInside: (path: string) => boolean,
): Walk {
  const checker = program.getTypeChecker()
  const calls: string[] = []
  const functions = new Set<Code>()
  const done = new Set<string>()

  function enter(code: Code, holders: Holders): void {
    calls.push(code.getSourceFile().fileName)
    functions.add(code)
    const key = `${code.getSourceFile().fileName}:${code.pos}:${[...holders].sort().join()}`
    if (done.has(key)) return
    done.add(key)
    const held = new Set<ts.Symbol>()
    for (const [place, { name }] of code.parameters.entries()) if (holders.has(place)) hold(name, held)
    read(code.body, held, holders.has(-1))
  }

  function hold(name: ts.BindingName, held: Set<ts.Symbol>): void {
    if (ts.isIdentifier(name)) {
      const symbol = checker.getSymbolAtLocation(name)
      if (symbol) held.add(symbol)
      return
    }
    for (const element of name.elements) if (ts.isBindingElement(element)) hold(element.name, held)
  }

  /** Whether an expression has the value; what a callback does with it is not yet the expression's. */
  function has(node: ts.Node, held: ReadonlySet<ts.Symbol>, isThis: boolean): boolean {
    if (node.kind === ts.SyntaxKind.ThisKeyword) return isThis
    if (ts.isFunctionLike(node)) return false
    if (ts.isIdentifier(node)) {
      const symbol = ts.isShorthandPropertyAssignment(node.parent)
        ? checker.getShorthandAssignmentValueSymbol(node.parent)
        : checker.getSymbolAtLocation(node)
      return symbol !== undefined && held.has(symbol)
    }
    return ts.forEachChild(node, (child) => has(child, held, isThis) || undefined) ?? false
  }

  function read(node: ts.Node, held: Set<ts.Symbol>, isThis: boolean): void {
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) {
      readCall(node, held, isThis)
      return
    }
    if (ts.isForOfStatement(node) && ts.isVariableDeclarationList(node.initializer)) {
      if (has(node.expression, held, isThis))
        for (const { name } of node.initializer.declarations) hold(name, held)
    }
    ts.forEachChild(node, (child) => read(child, held, isThis))
    if (ts.isVariableDeclaration(node) && node.initializer && has(node.initializer, held, isThis))
      hold(node.name, held)
    if (
      ts.isBinaryExpression(node) &&
      node.operatorToken.kind === ts.SyntaxKind.EqualsToken &&
      ts.isIdentifier(node.left) &&
      has(node.right, held, isThis)
    )
      hold(node.left, held)
  }

  function readCall(node: ts.CallExpression | ts.NewExpression, held: Set<ts.Symbol>, isThis: boolean): void {
    const given = node.arguments ?? []
    const object = ts.isPropertyAccessExpression(node.expression) ? node.expression.expression : null
    const isOfValue = object !== null && has(object, held, isThis)
    const holders = new Set(
      [...given.entries()].filter(([, each]) => has(each, held, isThis)).map(([at]) => at),
    )
    const isPassed = isOfValue || holders.size > 0
    read(node.expression, held, isThis)
    for (const each of given) {
      // What a callback is given by a call that has the value is a part of it.
      if (isPassed && ts.isFunctionLike(each)) for (const { name } of each.parameters) hold(name, held)
      read(each, held, isThis)
    }
    const code = codeOf(checker.getResolvedSignature(node)?.declaration)
    if (!isPassed || !code || !isInside(code.getSourceFile().fileName)) return
    const isMethod = ts.isMethodDeclaration(code) || ts.isConstructorDeclaration(code)
    enter(code, isOfValue && isMethod ? new Set([...holders, -1]) : holders)
  }

  const file = program.getSourceFile(start.path)
  const code = file && functionIn(file, start.name)
  const place = code?.parameters.findIndex(({ name }) => name.getText() === start.parameter) ?? -1
  if (!code || place < 0) throw new Error(`${start.path} has no ${start.name}(${start.parameter})`)
  enter(code, new Set([place]))
  return {
    stays: calls.filter((path, at) => path !== calls[at - 1]),
    calls: calls.length,
    functions: functions.size,
  }
}

function codeOf(declaration: ts.Node | undefined): Code | null {
  if (!declaration || !ts.isFunctionLike(declaration) || !('body' in declaration)) return null
  return declaration.body ? (declaration as Code) : null // it has a body
}

function functionIn(file: ts.SourceFile, name: string): Code | null {
  for (const statement of file.statements)
    if (ts.isFunctionDeclaration(statement) && statement.name?.text === name) return codeOf(statement)
  return null
}
