import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { borderRules } from './tidy/borders.ts'
import { placeRules } from './tidy/places.ts'
import { purityRules } from './tidy/purity.ts'
import { type Finding, type Rule, sourceFile } from './tidy/rule.ts'
import { statementRules } from './tidy/statements.ts'
import { tableRules } from './tidy/tables.ts'

/** What the repository promises about its own text, beyond what types and the linter can say. */
export const rules: readonly Rule[] = [
  ...placeRules,
  ...purityRules,
  ...statementRules,
  ...tableRules,
  ...borderRules,
]

export type Violation = Finding & { rule: string; path: string }

/** Holds one file, named by its path from the root, against every rule that applies to it. */
export function tidyFile(path: string, text: string): Violation[] {
  const file = sourceFile(path, text)
  return rules
    .filter((rule) => rule.applies(path))
    .flatMap((rule) => rule.find(file).map((finding) => ({ rule: rule.name, path, ...finding })))
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
  let files = 0
  const violations: Violation[] = []
  for (const path of repositoryFiles(root)) {
    const text = readText(join(root, path))
    if (text === undefined) continue
    files += 1
    violations.push(...tidyFile(path, text))
  }
  for (const { rule, path, line, what } of violations) console.log(`${path}:${line} ${rule}: ${what}`)
  console.log(`tidy: ${files} files, ${rules.length} rules, ${violations.length} violations`)
  if (violations.length > 0 || files === 0) process.exitCode = 1
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
