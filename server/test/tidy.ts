import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { borderRules } from './tidy/borders.ts'
import { type Module, readModule } from './tidy/module.ts'
import { patienceRules } from './tidy/patience.ts'
import { placeRules } from './tidy/places.ts'
import { purityRules } from './tidy/purity.ts'
import { type Finding, isCode, type Rule, type SourceFile, sourceFile } from './tidy/rule.ts'
import { sizeRules, treeSizeRules } from './tidy/sizes.ts'
import { sliceNameRules } from './tidy/slice-names.ts'
import { statementRules } from './tidy/statements.ts'
import { tableRules } from './tidy/tables.ts'
import type { Tree, TreeRule } from './tidy/tree.ts'
import { unusedRules } from './tidy/unused.ts'
import { packageRules } from './tidy/unused-packages.ts'

/** What the repository promises about its own text, beyond what types and the linter can say. */
export const rules: readonly Rule[] = [
  ...placeRules,
  ...sizeRules,
  ...purityRules,
  ...patienceRules,
  ...statementRules,
  ...tableRules,
  ...borderRules,
  ...sliceNameRules,
]

/** What it promises about how its files use each other. */
export const treeRules: readonly TreeRule[] = [...unusedRules, ...packageRules, ...treeSizeRules]

type Violation = Finding & { rule: string; path: string }

/** Holds one file, named by its path from the root, against every rule that applies to it. */
export function tidyFile(file: SourceFile): Violation[] {
  return rules
    .filter((rule) => rule.applies(file.path))
    .flatMap((rule) => rule.find(file).map((finding) => ({ rule: rule.name, path: file.path, ...finding })))
}

export function tidyTree(tree: Tree): Violation[] {
  return treeRules.flatMap((rule) => rule.find(tree).map((finding) => ({ rule: rule.name, ...finding })))
}

/** Every file that is or would be committed. Without git (a copied folder), the folder itself less what is never committed. */
export function repositoryFiles(root: string): string[] {
  try {
    const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
    const listed = execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    return listed.split('\0').filter((path) => path !== '' && existsSync(join(root, path)))
  } catch {
    return globSync(['**/*', '**/.*', '.*/**/*'], {
      cwd: root,
      withFileTypes: false,
      exclude: (path) =>
        /(?:^|\/)(?:node_modules|[.]git|[.]prokura|[.]tmp|coverage)(?:\/|$)|[.]log$/.test(path),
    })
  }
}

function main(): void {
  const root = resolve(import.meta.dirname, '../..')
  const modules: Module[] = []
  const texts = new Map<string, string>()
  const violations: Violation[] = []
  for (const path of repositoryFiles(root)) {
    const text = readText(join(root, path))
    if (text === undefined) continue
    const file = sourceFile(path, text)
    violations.push(...tidyFile(file))
    if (isCode(path)) modules.push(readModule(file))
    else texts.set(path, text)
  }
  violations.push(...tidyTree({ modules, texts }))
  const files = modules.length + texts.size
  for (const { rule, path, line, what } of violations) console.log(`${path}:${line} ${rule}: ${what}`)
  console.log(
    `tidy: ${files} files, ${rules.length + treeRules.length} rules, ${violations.length} violations`,
  )
  if (violations.length > 0 || modules.length === 0) process.exitCode = 1
}

function readText(path: string): string | undefined {
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    // A link to a folder, or a file that somebody deleted since it was listed.
    if (error instanceof Error && 'code' in error && (error.code === 'EISDIR' || error.code === 'ENOENT'))
      return undefined
    throw error
  }
  return bytes.subarray(0, 8000).includes(0) ? undefined : bytes.toString('utf8')
}

if (import.meta.main) main()
