import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { IForbiddenRuleType } from 'dependency-cruiser'
import { measuring, publishedBy, witness, workspacesOf } from '../workspaces.ts'

type WorkspaceRule = IForbiddenRuleType & { name: keyof typeof workspaceRules }

/** What holds between workspaces, with what each rule is for. */
export const workspaceRules = {
  'workspaces-import-what-is-published':
    'A workspace sees of another only the `exports` of its package.json.',
  'sandbox-stands-alone': 'The sandbox plays strangers: it knows the server only over the wire.',
}

/** The rules for the workspaces below `root`: a new one needs no line here. */
export function rulesBetweenWorkspaces(root: string): WorkspaceRule[] {
  // A workspace may stand in the folder of another: the inner one is meant by a path in it.
  const names = workspacesOf(root).toSorted((one, other) => other.length - one.length)
  const anyOf = `^(${names.join('|')})/`
  const published = names
    .filter((name) => name !== witness && name !== measuring)
    .map((name) => [name, join(root, name, 'package.json')] as const)
    .filter(([, path]) => existsSync(path))
    .flatMap(([name, path]) => publishedBy(name, readFileSync(path, 'utf8')))
  return [
    {
      name: 'workspaces-import-what-is-published',
      severity: 'error',
      from: { path: anyOf, pathNot: `^(?:${measuring}|${witness})/` },
      to: { path: anyOf, pathNot: ['^$1/', ...published.map((path) => `^${RegExp.escape(path)}$`)] },
    },
    {
      name: 'sandbox-stands-alone',
      severity: 'error',
      from: { path: `^${witness}/` },
      to: { path: anyOf, pathNot: `^${witness}/` },
    },
  ]
}
