import type { Call } from '../json-server.ts'

export type Account = {
  readonly profile: string
  readonly isLive: boolean
  /** The call has only the key that stands in pages: it may do what a client secret is for, and nothing else. */
  readonly isPage?: boolean
}

/** The accounts that the simulator knows, by their key. The keys open nothing else. */
export const accounts: Readonly<Record<string, Account>> = {
  /** The service under test. */
  sk_test_sandbox: { profile: 'profile_test_sandbox', isLive: false },
  /** The same in live mode, which here moves as little money as test mode. */
  sk_live_sandbox: { profile: 'profile_live_sandbox', isLive: true },
  /** The same, as the agent that issues tokens for its buyers. */
  sk_test_agent: { profile: 'profile_test_agent', isLive: false },
  /** The shops of the sandbox. They sell to both modes, and this account takes the tokens of both. */
  sk_test_stranger: { profile: 'profile_sandbox', isLive: false },
}

/** The keys that stand in pages, by the secret key of their account. */
const publishableKeys: Readonly<Record<string, string>> = {
  pk_test_sandbox: 'sk_test_sandbox',
  pk_live_sandbox: 'sk_live_sandbox',
}

/** Whose call it is; null: nobody's. The key is a bearer token, or the name of HTTP's basic scheme. */
export function accountOf(call: Call): Account | null {
  const [, scheme, value = ''] = /^(Bearer|Basic) (\S+)$/.exec(call.header('authorization') ?? '') ?? []
  const key = scheme === 'Basic' ? Buffer.from(value, 'base64').toString().replace(/:$/, '') : value
  const secret = Object.hasOwn(publishableKeys, key) ? publishableKeys[key] : undefined
  const account = secret === undefined ? null : accounts[secret]
  if (account) return { ...account, isPage: true }
  return Object.hasOwn(accounts, key) ? (accounts[key] ?? null) : null
}

/** The account of the service under test. */
export function ownAccount(isLive: boolean): Account {
  const account = accounts[isLive ? 'sk_live_sandbox' : 'sk_test_sandbox']
  if (account === undefined) throw new Error('the simulator has lost its account')
  return account
}

const ofService: readonly string[] = ['profile_test_sandbox', 'profile_live_sandbox']

/** Whether an account is shown what this one owns: its own, and to the service under test that of both its modes. */
export function isShownTo({ profile }: Account, owner: string): boolean {
  return profile === owner || (ofService.includes(profile) && ofService.includes(owner))
}

export function accountNamed(named: string): Account | null {
  return Object.values(accounts).find(({ profile }) => profile === named) ?? null
}
