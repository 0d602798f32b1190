import ts from 'typescript'
import { markLine } from '../suites/mutation/guard.ts'
import { measuring } from '../workspaces.ts'

export type Finding = { line: number; what: string }

export type SourceFile = {
  path: string
  text: string
  /** Parsed on first use: most rules only look at names. */
  tree: () => ts.SourceFile
}

export type Rule = {
  name: string
  applies: (path: string) => boolean
  find: (file: SourceFile) => Finding[]
}

const testFile = /\.(?:test|test-d)\.ts$/
/** The programs of guides are read with their pages. */
const code = /^(?!docs\/).*\.(?:tsx?|js|mjs)$/

export function sourceFile(path: string, text: string): SourceFile {
  let tree: ts.SourceFile | undefined
  return {
    path,
    text,
    tree: () => {
      const kind = path.endsWith('.tsx') ? ts.ScriptKind.TSX : ts.ScriptKind.TS
      tree ??= ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true, kind)
      return tree
    },
  }
}

export function isCode(path: string): boolean {
  return code.test(path)
}

/** What runs in production. What measures it counts with the tests. */
export function isProduction(path: string): boolean {
  return (
    /^(?:elements\/)?[^/]+\/(?:src|bin)\//.test(path) &&
    !path.startsWith(`${measuring}/`) &&
    !/\.(?:test|test-d|testing)\.ts$/.test(path)
  )
}

/** Product code of the server: what runs, not what tests it. */
export function isServerSource(path: string): boolean {
  return path.startsWith('server/src/') && path.endsWith('.ts') && !testFile.test(path)
}

/** The lines of a text, without marks of guards: a mark must never be what makes a file or a function too long. */
export function linesIn(text: string): number {
  return text.trimEnd().split('\n').length - (text.match(markLine)?.length ?? 0)
}

export function* everyNode(node: ts.Node): Generator<ts.Node> {
  yield node
  const children: ts.Node[] = []
  ts.forEachChild(node, (child) => {
    children.push(child)
  })
  for (const child of children) yield* everyNode(child)
}

export function at(file: SourceFile, node: ts.Node, what: string): Finding {
  return { line: file.tree().getLineAndCharacterOfPosition(node.getStart()).line + 1, what }
}

/** The lines of a text that match, each as a finding. */
export function findLines(text: string, matches: (line: string) => boolean, what: string): Finding[] {
  return text.split('\n').flatMap((line, index) => (matches(line) ? [{ line: index + 1, what }] : []))
}
