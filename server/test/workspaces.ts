import { readFileSync } from 'node:fs'
import { join, posix, resolve } from 'node:path'

/** The part of the outside world for tests. It can only testify as long as it shares no code with what it watches. */
export const witness = 'sandbox'

/** What measures the product is no part of it: it may import everything, and keeps no code alive. */
export const measuring = 'bench'

/** The folders below `root` that have code: what its package.json tells npm. No other file lists them. */
export function workspacesOf(root: string): readonly string[] {
  return JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')).workspaces
}

export const workspaces = workspacesOf(resolve(import.meta.dirname, '../..'))

export const productWorkspaces = workspaces.filter((name) => name !== measuring)

/** The modules that a workspace shows to others, by the text of its package.json: its `exports`. */
export function publishedBy(workspace: string, manifest: string): string[] {
  return stringsIn(JSON.parse(manifest).exports).map((path) => posix.join(workspace, path))
}

/** One entry, or entries by their names and conditions. */
function stringsIn(exported: unknown): string[] {
  if (typeof exported === 'string') return [exported]
  return typeof exported === 'object' && exported !== null ? Object.values(exported).flatMap(stringsIn) : []
}
