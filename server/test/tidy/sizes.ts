import { posix } from 'node:path'
import ts from 'typescript'
import { at, everyNode, isCode, isProduction, linesIn, type Rule } from './rule.ts'
import type { Tree, TreeRule } from './tree.ts'
import { targetsOf } from './unused.ts'

const linesMax = 70
const linesOfDozen = 12

/**
 * The limit holds for all code, the bodies of tests included. Functions that have a name, and tests in a `describe`, are judged by
 * themselves and not as a part of the one around them: a factory is as long as what it does on its own.
 */
export const sizeRules: readonly Rule[] = [
  {
    name: 'function-size',
    applies: isCode,
    find: (file) =>
      [...everyNode(file.tree())].filter(isFunction).flatMap((node) => {
        const lines = ownLines(file.tree(), node)
        return lines > linesMax
          ? [at(file, node, `${lines} lines of its own, at most ${linesMax}: this is two ideas`)]
          : []
      }),
  },
]

/** The files of a slice whose place is fixed, SQL, which stands in files of its own, and commands, which are loaded one by one. */
const fixedPlace =
  /(?:^|\/)(?:slice|operations|public|events|work|port|machine|invariants)\.ts$|\.sql\.ts$|\/cli\/commands\//

export const treeSizeRules: readonly TreeRule[] = [
  {
    name: 'file-of-one-user',
    find: (tree) =>
      tree.modules
        .filter(({ path, lines }) => lines < linesOfDozen && !isTest(path) && !fixedPlace.test(path))
        .flatMap(({ path }) => {
          const [user, ...others] = usersOf(tree, path)
          return user !== undefined && others.length === 0 && isAround(user, path)
            ? [{ path, line: 1, what: `only ${user} uses these few lines: they belong there` }]
            : []
        }),
  },
]

/** Who imports a file. What tests see of production code moves with it. */
function usersOf({ modules }: Tree, path: string): string[] {
  const users = modules.filter((module) => targetsOf(module).includes(path)).map((module) => module.path)
  return isProduction(path) ? users.filter(isProduction) : users
}

/** A user in the same folder or above it, in the same room. What it shows to others by `public.ts` has to stand elsewhere. */
function isAround(user: string, path: string): boolean {
  const folder = posix.dirname(user)
  return (
    !fixedPlace.test(user) && folder !== 'server/src' && `${posix.dirname(path)}/`.startsWith(`${folder}/`)
  )
}

function isTest(path: string): boolean {
  return /\.test(?:-d)?\.ts$/.test(path)
}

type FunctionWithBody = ts.FunctionLikeDeclaration & { body: ts.Node }

function isFunction(node: ts.Node): node is FunctionWithBody {
  return ts.isFunctionLike(node) && 'body' in node && node.body !== undefined
}

function ownLines(tree: ts.SourceFile, node: ts.Node): number {
  let inside = 0
  function look(child: ts.Node): void {
    if (isFunction(child) && (isNamed(child) || isTestBody(child))) inside += linesOf(tree, child)
    else ts.forEachChild(child, look)
  }
  ts.forEachChild(node, look)
  return linesOf(tree, node) - inside
}

function linesOf(tree: ts.SourceFile, node: ts.Node): number {
  return linesIn(node.getText(tree))
}

function isNamed(node: FunctionWithBody): boolean {
  if (!ts.isArrowFunction(node) && !ts.isFunctionExpression(node)) return true
  return ts.isPropertyAssignment(node.parent) || ts.isVariableDeclaration(node.parent)
}

function isTestBody({ parent }: FunctionWithBody): boolean {
  return ts.isCallExpression(parent) && /^(?:test|it|describe)\b/.test(parent.expression.getText())
}
