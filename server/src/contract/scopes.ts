/** What a key may do. Presets below are what people choose; single scopes are what operations ask for. */
export const scopes = [
  'profiles:read',
  'profiles:write',
  'payment_methods:read',
  'payment_methods:write',
  'policies:read',
  'policies:write',
  'controls:write',
  'purchase_intents:read',
  'purchase_intents:write',
  'purchase_intents:approve',
  'orders:read',
  'orders:write',
  'quotes:read',
  'quotes:write',
  'event_destinations:read',
  'event_destinations:write',
  'catalog:read',
  'registry:read',
  'merchant:read',
  'merchant:write',
  // Who the merchant is: domain, category and country, by which buyers' policies judge it.
  'merchant:identity',
  'merchant_orders:read',
  'merchant_orders:respond',
  'chats:read',
  'chats:write',
  'keys:write',
] as const

export type Scope = (typeof scopes)[number]

export const scopePresets = {
  full: scopes,
  read_only: scopes.filter((scope) => scope.endsWith(':read')),
  merchant_backend: [
    'merchant:read',
    'merchant:write',
    'merchant_orders:read',
    'merchant_orders:respond',
    'catalog:read',
    'registry:read',
    'quotes:read',
  ],
  discovery: ['catalog:read', 'registry:read'],
  // Everything an agent needs to shop, and nothing that releases money a policy did not already allow.
  buyer_agent: [
    'profiles:read',
    'payment_methods:read',
    'policies:read',
    'purchase_intents:read',
    'purchase_intents:write',
    'orders:read',
    'quotes:read',
    'quotes:write',
    'catalog:read',
    'registry:read',
    'chats:read',
    'chats:write',
  ],
} as const satisfies Record<string, readonly Scope[]>

export type ScopePreset = keyof typeof scopePresets

/** What an agent that is bound to one profile can never do: these belong to the account as a whole. */
const accountScopes: readonly Scope[] = ['event_destinations:read', 'merchant:read', 'merchant_orders:read']

/** The presets that a key of such an agent can have. */
export const boundPresets = ['buyer_agent', 'read_only'] as const satisfies readonly ScopePreset[]

/** All that such a key can ever do. */
export const boundScopes: ReadonlySet<Scope> = new Set<Scope>(
  boundPresets.flatMap((preset) => scopePresets[preset]).filter((scope) => !accountScopes.includes(scope)),
)
