import { posix } from 'node:path'
import ts from 'typescript'
import { everyNode, linesIn, type SourceFile } from './rule.ts'

/** What a code file gives to others and takes from them. The syntax tells it all, because exports are named and `export *` is forbidden. */
export type Module = {
  path: string
  lines: number
  exports: Exported[]
  imports: Imported[]
  strings: string[]
}

export type Exported = {
  name: string
  line: number
  /** Something else in the file refers to it. */
  isUsedHere: boolean
  /** Where a re-export has it from. */
  from?: { target: string; name: string }
}

/** `target` is a path from the root, or what follows `import` of a package. `'*'` stands for every name. */
type Imported = { target: string; names: string[] }

export function readModule(file: SourceFile): Module {
  const nodes = [...everyNode(file.tree())]
  const used = new Set(nodes.filter(ts.isIdentifier).filter(isReference).map(textOf))
  const declared = file.tree().statements.flatMap((statement) => exportsOf(file, statement))
  return {
    path: file.path,
    lines: linesIn(file.text),
    // A type and a value of one name are one export.
    exports: [...new Map(declared.map((one) => [one.name, one])).values()].map((one) => ({
      ...one,
      isUsedHere: one.from === undefined && used.has(one.name),
    })),
    imports: nodes.flatMap((node) => importsOf(file.path, node)),
    strings: nodes.flatMap(stringsOf),
  }
}

function exportsOf(file: SourceFile, statement: ts.Statement): Exported[] {
  const exported = (name: string, node: ts.Node): Exported => ({
    name,
    line: file.tree().getLineAndCharacterOfPosition(node.getStart()).line + 1,
    isUsedHere: false,
  })
  if (ts.isExportDeclaration(statement)) {
    const { exportClause: clause, moduleSpecifier: source } = statement
    if (clause === undefined || !ts.isNamedExports(clause)) return []
    return clause.elements.map((element) => {
      const one = exported(element.name.text, element)
      if (source === undefined || !ts.isStringLiteral(source)) return one
      const from = {
        target: targetOf(file.path, source.text),
        name: (element.propertyName ?? element.name).text,
      }
      return { ...one, from }
    })
  }
  if (!ts.canHaveModifiers(statement)) return []
  const modifiers = ts.getModifiers(statement)?.map(({ kind }) => kind) ?? []
  if (!modifiers.includes(ts.SyntaxKind.ExportKeyword)) return []
  if (modifiers.includes(ts.SyntaxKind.DefaultKeyword)) return [exported('default', statement)]
  return declaredNames(statement).map((name) => exported(name, statement))
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap(({ name }) => boundNames(name))
  }
  const name = 'name' in statement ? (statement.name as ts.Node | undefined) : undefined // of a function, type or class
  return name !== undefined && ts.isIdentifier(name) ? [name.text] : []
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (ts.isBindingElement(element) ? boundNames(element.name) : []))
}

function importsOf(path: string, node: ts.Node): Imported[] {
  const from = (source: ts.Node | undefined, names: string[]): Imported[] =>
    source !== undefined && ts.isStringLiteral(source) ? [{ target: targetOf(path, source.text), names }] : []
  if (ts.isImportDeclaration(node)) return from(node.moduleSpecifier, importedNames(node.importClause))
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return from(node.arguments[0], awaitedNames(node))
  }
  // What adds to a declaration of another file (`declare module`) needs it.
  if (ts.isModuleDeclaration(node) && node.body !== undefined && ts.isModuleBlock(node.body)) {
    return from(node.name, node.body.statements.flatMap(declaredNames))
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return from(node.argument.literal, [node.qualifier?.getText().split('.')[0] ?? '*'])
  }
  return []
}

function importedNames(clause: ts.ImportClause | undefined): string[] {
  const names = clause?.name === undefined ? [] : ['default']
  const bindings = clause?.namedBindings
  if (bindings === undefined) return names
  if (ts.isNamespaceImport(bindings)) return [...names, '*']
  return [...names, ...bindings.elements.map(({ propertyName, name }) => (propertyName ?? name).text)]
}

/** Of `(await import('./x.ts')).name` and `const { name } = await import('./x.ts')`, the names; of anything else, all. */
function awaitedNames(call: ts.CallExpression): string[] {
  let holder: ts.Node = call.parent
  while (ts.isAwaitExpression(holder) || ts.isParenthesizedExpression(holder)) holder = holder.parent
  if (ts.isPropertyAccessExpression(holder)) return [holder.name.text]
  if (ts.isVariableDeclaration(holder) && ts.isObjectBindingPattern(holder.name)) {
    return holder.name.elements.map(({ propertyName, name }) => (propertyName ?? name).getText())
  }
  return ['*']
}

function targetOf(path: string, source: string): string {
  return source.startsWith('.') ? posix.join(posix.dirname(path), source) : source
}

/** Whether a name means what is declared elsewhere, and is not the name of what stands here. */
function isReference(node: ts.Identifier): boolean {
  const { parent } = node
  if (ts.isShorthandPropertyAssignment(parent) || ts.isExportSpecifier(parent)) return true
  if ('propertyName' in parent && parent.propertyName === node) return false
  return !('name' in parent && parent.name === node)
}

function textOf({ text }: ts.Identifier): string {
  return text
}

function stringsOf(node: ts.Node): string[] {
  if (ts.isStringLiteralLike(node)) return [node.text]
  if (!ts.isTemplateExpression(node)) return []
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)]
}
