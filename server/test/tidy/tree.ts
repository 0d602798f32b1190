import type { Module } from './module.ts'
import type { Finding } from './rule.ts'

export type Tree = {
  /** The code. */
  modules: readonly Module[]
  /** Everything else that is text, by its path. */
  texts: ReadonlyMap<string, string>
}

/** A rule about how files use each other. */
export type TreeRule = {
  name: string
  find: (tree: Tree) => TreeFinding[]
}

export type TreeFinding = Finding & { path: string }
