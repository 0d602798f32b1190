import type { OperationFacts } from './operation.ts'
import type { Scope } from './scopes.ts'

/** What a client may narrow its list of tools to, by the scopes that their operations need. */
const toolsets = {
  buyer: [
    'profiles:read',
    'profiles:write',
    'payment_methods:read',
    'payment_methods:write',
    'policies:read',
    'purchase_intents:read',
    'purchase_intents:write',
    'purchase_intents:approve',
    'orders:read',
    'orders:write',
    'quotes:read',
    'quotes:write',
    'chats:read',
    'chats:write',
    'catalog:read',
    'registry:read',
  ],
  merchant: [
    'merchant:read',
    'merchant:write',
    'merchant:identity',
    'merchant_orders:read',
    'merchant_orders:respond',
  ],
  discovery: ['catalog:read', 'registry:read'],
  admin: [
    'policies:read',
    'policies:write',
    'controls:write',
    'event_destinations:read',
    'event_destinations:write',
    'keys:write',
  ],
} as const satisfies Record<string, readonly Scope[]>

export type Toolset = keyof typeof toolsets

export const toolsetNames = Object.keys(toolsets) as Toolset[] // the keys of a constant

export function isToolset(name: unknown): name is Toolset {
  return toolsetNames.some((each) => each === name)
}

/** What needs no scope is for everybody. */
export function belongsTo(toolset: Toolset, { scope }: Pick<OperationFacts, 'scope'>): boolean {
  const wanted: readonly Scope[] = toolsets[toolset]
  return scope === null || wanted.includes(scope)
}
