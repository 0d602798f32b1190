import ts from 'typescript'
import { at, type Finding, type Rule, type SourceFile } from './rule.ts'

/** Values and functions cross a border between slices. */
export const borderRules: readonly Rule[] = [
  {
    name: 'statements-and-rows-stay-inside',
    applies: (path) => /^server\/src\/domain\/.+\/public\.ts$/.test(path),
    find: crossings,
  },
]

function crossings(file: SourceFile): Finding[] {
  return file
    .tree()
    .statements.filter(ts.isExportDeclaration)
    .flatMap(exportedInside)
    .map(({ node, name, what }) => at(file, node, `${name} is ${what}, which stays inside its slice`))
}

type Crossing = { node: ts.Node; name: string; what: string }

function exportedInside(node: ts.ExportDeclaration): Crossing[] {
  const { moduleSpecifier, exportClause } = node
  const isSql =
    moduleSpecifier !== undefined &&
    ts.isStringLiteral(moduleSpecifier) &&
    moduleSpecifier.text.endsWith('.sql.ts')
  if (exportClause === undefined || !ts.isNamedExports(exportClause)) {
    return isSql ? [{ node, name: '*', what: 'SQL' }] : []
  }
  return exportClause.elements.flatMap((element) => {
    const names = [element.name.text, element.propertyName?.text ?? '']
    if (isSql) return [{ node: element, name: element.name.text, what: 'SQL' }]
    return names.some((name) => name.endsWith('Row'))
      ? [{ node: element, name: element.name.text, what: 'a row' }]
      : []
  })
}
