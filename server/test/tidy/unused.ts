import { publishedBy } from '../workspaces.ts'
import type { Exported, Module } from './module.ts'
import { tablesFile } from './owners.ts'
import { isProduction } from './rule.ts'
import type { Tree, TreeRule } from './tree.ts'

/** Exports that only tests use until the capability comes that is named here. */
const laterExports: Readonly<Record<string, string>> = {
  'server/src/platform/audit/erase-events.ts eraseEvents':
    'the removal of old events; the format of the audit chain, which is public, already has its entries',
  'server/src/platform/pages/assets.ts pageAssets':
    'elements and the console, whose pages have scripts; those of today have none',
}

/**
 * Rules about code that nothing needs. `knip` 6 was measured against them: as fast (two seconds), but with 21 packages and a parser for
 * each platform, blind to a program that is forked by its path, and only in a second run able to tell use from use by tests.
 */
export const unusedRules: readonly TreeRule[] = [
  unusedExport(laterExports),
  {
    name: 'unused-file',
    find: (tree) => {
      const imported = new Set(tree.modules.flatMap(targetsOf))
      return tree.modules
        .filter(({ path }) => !imported.has(path) && !isStartedByTool(path) && !isNamed(tree, path))
        .map(({ path }) => ({ path, line: 1, what: 'no import or string names this file' }))
    },
  },
]

/** `later` has a reason for each export, named `<file> <name>`, that may wait for its use. */
export function unusedExport(later: Readonly<Record<string, string>>): TreeRule {
  return {
    name: 'unused-export',
    find: ({ modules, texts }) => {
      const usersOf = readUsers(modules)
      const published = publishedModules(texts)
      const waiting = new Set(Object.keys(later))
      const found = modules
        .filter(({ path }) => !published.has(path))
        .flatMap(({ path, exports }) =>
          exports.flatMap((one) => {
            const what = judgeExport(path, one, usersOf(path, one.name))
            if (what === undefined || waiting.delete(`${path} ${one.name}`)) return []
            return [{ path, line: one.line, what: `${one.name}: ${what}` }]
          }),
        )
      const stale = [...waiting].map((entry) => ({
        path: 'server/test/tidy/unused.ts',
        line: 1,
        what: `${entry}: it is used, or gone: remove the entry`,
      }))
      return [...found, ...stale]
    },
  }
}

/** What the workspaces show to others. Those may be anywhere. */
function publishedModules(texts: Tree['texts']): ReadonlySet<string> {
  return new Set(
    [...texts].flatMap(([path, text]) => {
      const [, workspace] = /^((?:elements\/)?[^/]+)\/package\.json$/.exec(path) ?? []
      return workspace === undefined ? [] : publishedBy(workspace, text)
    }),
  )
}

/** Vitest finds tests and its configuration by their names. */
function isStartedByTool(path: string): boolean {
  return /\.test\.ts$/.test(path) || path === 'vitest.config.ts'
}

/** Workers, forked processes and scripts are started by a path. */
function isNamed({ modules, texts }: Tree, path: string): boolean {
  const name = path.split('/').at(-1) ?? path
  const isItsPath = (text: string) => text === name || text.endsWith(`/${name}`)
  return (
    modules.some((one) => one.path !== path && one.strings.some(isItsPath)) ||
    [...texts].some(([at, text]) => isScript(at) && text.split(/[\s"']+/).some(isItsPath))
  )
}

function isScript(path: string): boolean {
  return /(?:^|\/)package\.json$|\.sh$|^prokura$|^\.ci\//.test(path)
}

function judgeExport(path: string, one: Exported, users: readonly string[]): string | undefined {
  // Tools ask for it by the name of the file: a global setup of tests, a configuration; the rules of tables read their owners.
  if (one.name === 'default' || (one.name === 'tables' && tablesFile.test(path))) return undefined
  if (users.length === 0)
    return one.isUsedHere ? 'only this file uses it: remove `export`' : 'nothing uses it: remove it'
  if (!isProduction(path) || users.some(isProduction)) return undefined
  if (one.from !== undefined) return 'only tests import it from here: they may import it from where it is'
  // Tests may look at a part of what runs, but nothing is there for them alone.
  return one.isUsedHere ? undefined : 'only tests use it: move it to them'
}

/** Answers who imports a name from a file, also through re-exports. */
function readUsers(modules: readonly Module[]): (path: string, name: string) => string[] {
  const direct = new Map<string, Set<string>>()
  const passedOn = new Map<string, { path: string; name: string }[]>()
  for (const { path, imports, exports } of modules) {
    for (const { target, names } of imports) for (const name of names) put(direct, `${target}#${name}`, path)
    for (const { name, from } of exports) {
      if (from === undefined) continue
      const key = `${from.target}#${from.name}`
      passedOn.set(key, [...(passedOn.get(key) ?? []), { path, name }])
    }
  }
  return function usersOf(path, name): string[] {
    const key = `${path}#${name}`
    const users = [...(direct.get(key) ?? []), ...(direct.get(`${path}#*`) ?? [])]
    const through = (passedOn.get(key) ?? []).flatMap((one) => usersOf(one.path, one.name))
    return [...new Set([...users, ...through])].filter((user) => user !== path)
  }
}

function put(map: Map<string, Set<string>>, key: string, value: string): void {
  const known = map.get(key)
  if (known) known.add(value)
  else map.set(key, new Set([value]))
}

/** Every file and package that a module imports, or exports from. */
export function targetsOf({ imports, exports }: Module): string[] {
  return [...imports.map(({ target }) => target), ...exports.flatMap(({ from }) => from?.target ?? [])]
}
