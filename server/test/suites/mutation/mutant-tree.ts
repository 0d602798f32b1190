import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { workspaces } from '../../workspaces.ts'
import { type Guard, without } from './guard.ts'

/** A copy of the program and its tests. One guard at a time is taken out of it. */
export type MutantTree = {
  readonly root: string
  /** Runs `work` on the tree without the guard; afterwards the tree is whole again. */
  mutated<T>(guard: Guard, work: () => Promise<T>): Promise<T>
  remove(): void
}

const repository = join(import.meta.dirname, '../../../..')
const copied = ['package.json', 'tsconfig.json', 'vitest.config.ts', ...workspaces]
const leftOut = new Set(['node_modules', '.tmp', '.prokura'])

export function createMutantTree(): MutantTree {
  const root = mkdtempSync(join(tmpdir(), 'prokura-mutant-'))
  for (const name of copied) {
    cpSync(join(repository, name), join(root, name), {
      recursive: true,
      filter: (source) => !leftOut.has(source.slice(source.lastIndexOf('/') + 1)),
    })
  }
  for (const where of ['.', ...workspaces])
    linkModules(join(repository, where, 'node_modules'), join(root, where, 'node_modules'))

  return {
    root,
    async mutated(guard, work) {
      const path = join(root, 'server', guard.file)
      const whole = readFileSync(path, 'utf8')
      const mutant = without(guard, whole)
      // Every test would fail on a mutant that does not parse, which proves nothing.
      if (guard.file.endsWith('.ts')) stripTypeScriptTypes(mutant)
      writeFileSync(path, mutant)
      try {
        return await work()
      } finally {
        writeFileSync(path, whole)
      }
    },
    remove: () => rmSync(root, { recursive: true, force: true }),
  }
}

/** Package by package, so that caches which tools keep beside the packages are the copy's own. */
function linkModules(from: string, to: string): void {
  if (!existsSync(from)) return
  mkdirSync(to)
  for (const name of readdirSync(from)) {
    if (!name.startsWith('.') || name === '.bin') symlinkSync(join(from, name), join(to, name))
  }
}
