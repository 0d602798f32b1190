import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { cruise, type ICruiseResult } from 'dependency-cruiser'
import { checkSlices, sliceRules } from './direction/slice-rules.ts'
import { rulesBetweenWorkspaces, workspaceRules } from './direction/workspace-rules.ts'
import { workspacesOf } from './workspaces.ts'

/** One import that points the wrong way. */
type Violation = { rule: string; from: string; to: string; comment: string }

type Direction = { modules: number; dependencies: number; violations: Violation[] }

const root = resolve(import.meta.dirname, '../..')

type RuleFile = {
  forbidden: { name: string; comment: string }[]
  options: Record<string, unknown>
}

const ruleFile: RuleFile = createRequire(import.meta.url)('../../.dependency-cruiser.cjs')

/** Every rule that imports are held against. */
export const ruleNames: readonly string[] = [
  ...ruleFile.forbidden.map(({ name }) => name),
  ...Object.keys(workspaceRules),
  ...Object.keys(sliceRules),
]

/** Reads every module below `baseDir` and holds its imports against the rules of `.dependency-cruiser.cjs`, and those of workspaces and slices. */
export async function checkDirection(baseDir: string): Promise<Direction> {
  const folders = workspacesOf(baseDir).flatMap((name) => [`${name}/src`, `${name}/test`])
  const { output } = await cruise(
    folders.filter((folder) => existsSync(join(baseDir, folder))),
    {
      ...ruleFile.options,
      baseDir,
      validate: true,
      ruleSet: { forbidden: [...ruleFile.forbidden, ...rulesBetweenWorkspaces(baseDir)] },
    } as Parameters<typeof cruise>[1],
  )
  if (typeof output === 'string') throw new Error(`expected a result, got text: ${output.slice(0, 200)}`)
  return read(baseDir, output)
}

function read(baseDir: string, { summary, modules }: ICruiseResult): Direction {
  const comments = new Map([
    ...ruleFile.forbidden.map(({ name, comment }) => [name, comment] as const),
    ...Object.entries(workspaceRules),
  ])
  const names = workspacesOf(baseDir)
  return {
    modules: modules.filter(({ source }) => names.some((name) => source.startsWith(`${name}/`))).length,
    dependencies: summary.totalDependenciesCruised ?? 0,
    violations: [
      ...summary.violations.map(({ rule, from, to, cycle }) => ({
        rule: rule.name,
        from,
        to: cycle === undefined ? to : cycle.map(({ name }) => name).join(' → '),
        comment: comments.get(rule.name) ?? '',
      })),
      ...checkSlices(baseDir, importsOf(modules)).map((found) => ({
        ...found,
        comment: sliceRules[found.rule],
      })),
    ],
  }
}

function importsOf(modules: ICruiseResult['modules']): { from: string; to: string }[] {
  return modules.flatMap(({ source, dependencies }) =>
    dependencies.map(({ resolved }) => ({ from: source, to: resolved })),
  )
}

async function main(): Promise<void> {
  const { modules, dependencies, violations } = await checkDirection(root)
  for (const { rule, from, to, comment } of violations) {
    console.log(`${from} → ${to}\n    ${rule}: ${comment}`)
  }
  console.log(`direction: ${modules} modules, ${dependencies} dependencies, ${violations.length} violations`)
  // A check that saw next to nothing has proved nothing.
  if (violations.length > 0 || modules === 0 || dependencies === 0) process.exitCode = 1
}

if (import.meta.main) await main()
