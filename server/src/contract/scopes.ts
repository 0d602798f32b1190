/** What people choose for a key; operations ask for single scopes. */
export const scopePresets = ['full', 'read_only', 'merchant_backend', 'discovery', 'buyer_agent'] as const
export type ScopePreset = (typeof scopePresets)[number]

/** What a person can be in an account. */
export const roles = ['owner', 'admin', 'approver', 'support', 'developer', 'merchant', 'viewer'] as const
export type Role = (typeof roles)[number]

/** What each role may do at least. A scope names the roles that have it besides. Owners and admins may do everything. */
const presetsOfRoles: Readonly<Record<Exclude<Role, 'owner' | 'admin'>, readonly ScopePreset[]>> = {
  approver: ['read_only'],
  support: ['read_only'],
  developer: ['read_only', 'buyer_agent'],
  merchant: ['merchant_backend'],
  viewer: ['read_only'],
}

/** The presets that a key of an agent that is bound to one profile can have. */
export const boundPresets = ['buyer_agent', 'read_only'] as const satisfies readonly ScopePreset[]

/** The sets to which a client may narrow its list of tools, by the scopes that their operations need. */
export const toolsetNames = ['buyer', 'merchant', 'discovery', 'admin'] as const
export type Toolset = (typeof toolsetNames)[number]

export type ScopeFacts = {
  /**
   * Besides `full`, which has every scope, and `read_only`, which has those that end in `:read`. `buyer_agent` has everything that an
   * agent needs to shop, and nothing that releases money that a policy did not already allow.
   */
  readonly presets?: readonly Exclude<ScopePreset, 'full' | 'read_only'>[]
  /** The roles of people that have it besides those whose presets do. */
  readonly roles?: readonly Exclude<Role, 'owner' | 'admin'>[]
  /** The toolsets that the tools belong to which need it. */
  readonly toolsets: readonly Toolset[]
  /** `read_only` does not have it, although it only reads: it shows what not everybody who may read should see. */
  readonly isWithheld?: true
  /** It is about the account as a whole: an agent that is bound to one profile never has it. */
  readonly isOfAccount?: true
  /** No key ever has it: it says who the people are that decide. */
  readonly isForPeople?: true
  /** Nothing needs it yet. Keys have it already, so that they need not be made again. */
  readonly isReserved?: true
}

export type ScopeDefinitions = Readonly<Record<string, ScopeFacts>>

export function defineScopes<const Definitions extends ScopeDefinitions>(
  definitions: Definitions,
): Definitions {
  return definitions
}

/** What a key may do: every scope that there is. Each slice adds its own here, by declaration merging in its `scopes.ts`. */
// biome-ignore lint/suspicious/noEmptyInterface: filled by the slices
export interface Scopes {}

export type Scope = keyof Scopes & string

/** The scopes of all slices, in their order: made by the composition. */
export type ScopeCatalog = {
  readonly facts: ReadonlyMap<string, ScopeFacts>
  readonly presets: Readonly<Record<ScopePreset, readonly Scope[]>>
  readonly roles: Readonly<Record<Role, readonly Scope[]>>
  /** All that a key of an agent that is bound to one profile can ever do. */
  readonly bound: ReadonlySet<Scope>
}

export function scopeCatalog(definitions: readonly ScopeDefinitions[]): ScopeCatalog {
  const facts = new Map<Scope, ScopeFacts>()
  for (const [name, one] of definitions.flatMap((some) => Object.entries(some))) {
    const scope = name as Scope // each slice declares the type of what it declares
    if (facts.has(scope)) throw new Error(`two slices have the scope ${scope}`)
    facts.set(scope, one)
  }
  const all = [...facts.keys()]
  const chosen = (preset: ScopePreset) =>
    all.filter((scope) => facts.get(scope)?.presets?.some((each) => each === preset))
  const presets: ScopeCatalog['presets'] = {
    // guard people-are-made-by-people: no program makes the people who have to approve what it wants
    full: all.filter((scope) => !facts.get(scope)?.isForPeople),
    read_only: all.filter((scope) => scope.endsWith(':read') && !facts.get(scope)?.isWithheld),
    merchant_backend: chosen('merchant_backend'),
    discovery: chosen('discovery'),
    buyer_agent: chosen('buyer_agent'),
  }
  const ofRole = (role: keyof typeof presetsOfRoles) => {
    const ofPresets = new Set(presetsOfRoles[role].flatMap((preset) => presets[preset]))
    return all.filter((scope) => ofPresets.has(scope) || facts.get(scope)?.roles?.includes(role))
  }
  const ofProfiles = (scope: Scope) => !facts.get(scope)?.isOfAccount
  return {
    facts,
    presets,
    roles: {
      owner: all,
      admin: all,
      approver: ofRole('approver'),
      support: ofRole('support'),
      developer: ofRole('developer'),
      merchant: ofRole('merchant'),
      viewer: ofRole('viewer'),
    },
    bound: new Set(boundPresets.flatMap((preset) => presets[preset]).filter(ofProfiles)),
  }
}

export function isToolset(name: unknown): name is Toolset {
  return toolsetNames.some((each) => each === name)
}

/** Whether the tool of an operation belongs to a toolset. What needs no scope is for everybody. */
export function belongsTo(
  toolset: Toolset,
  { scope }: { readonly scope: Scope | null },
  { facts }: Pick<ScopeCatalog, 'facts'>,
): boolean {
  return scope === null || facts.get(scope)?.toolsets.includes(toolset) === true
}
