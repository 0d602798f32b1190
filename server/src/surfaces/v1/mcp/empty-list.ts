import type { OperationFacts } from '../../../contract/operation.ts'
import { belongsTo, type ScopeCatalog, type Toolset, toolsetNames } from '../../../contract/scopes.ts'

type Asked = {
  /** All that are tools. */
  operations: readonly OperationFacts[]
  mayCall: (operation: OperationFacts) => boolean
  hasKey: boolean
  /** What the list is narrowed to; null: it is not. */
  toolset: Toolset | null
  scopeCatalog: ScopeCatalog
}

/**
 * Why a caller's list of tools is empty, and what to do about it; null: it is not. An empty list looks like a broken server, to people
 * and models alike.
 */
export function whyNoTools({ operations, mayCall, hasKey, toolset, scopeCatalog }: Asked): string | null {
  const callable = operations.filter(mayCall)
  const within = (name: Toolset, tools: typeof operations) =>
    tools.some((each) => belongsTo(name, each, scopeCatalog))
  if (toolset === null ? callable.length > 0 : within(toolset, callable)) return null
  if (toolset === null || callable.length === 0) return told(hasKey ? powerless : keyless, withKey)
  if (!hasKey && within(toolset, operations))
    return told(`It has no API key, and every tool of the toolset "${toolset}" needs one.`, withKey)
  const reason = within(toolset, operations)
    ? `Its API key may call no tool of the toolset "${toolset}".`
    : `This release has no tool in the toolset "${toolset}".`
  const others = toolsetNames.filter((name) => within(name, callable)).join(', ')
  return told(
    reason,
    `Leave ?toolset= out of the address of this server, or name a toolset that this key has tools of: ${others}.`,
  )
}

const keyless = 'It has no API key, and every tool needs one.'
const powerless = 'Its API key may call no tool.'
const withKey =
  'Send a secret API key as a Bearer token in the Authorization header. For an agent that buys, it is a key with the preset buyer_agent.'

function told(reason: string, remedy: string): string {
  return `This connection has no tools: tools/list is empty. ${reason} Tell the person who set up the connection: ${remedy}`
}
