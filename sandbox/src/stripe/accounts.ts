import type { Call } from '../json-server.ts'

export type Account = { readonly profile: string; readonly isLive: boolean }

/** The accounts that the simulator knows, by their key. The keys open nothing else. */
export const accounts: Readonly<Record<string, Account>> = {
  /** The service under test. */
  sk_test_sandbox: { profile: 'profile_test_sandbox', isLive: false },
  /** The same in live mode, which here moves as little money as test mode. */
  sk_live_sandbox: { profile: 'profile_live_sandbox', isLive: true },
  /** The same, as the agent that issues tokens for its buyers. */
  sk_test_agent: { profile: 'profile_test_agent', isLive: false },
  /** The paid API of the sandbox. */
  sk_test_stranger: { profile: 'profile_sandbox', isLive: false },
}

/** Whose call it is; null: nobody's. The key is a bearer token, or the name of HTTP's basic scheme. */
export function accountOf(call: Call): Account | null {
  const [, scheme, value = ''] = /^(Bearer|Basic) (\S+)$/.exec(call.header('authorization') ?? '') ?? []
  const key = scheme === 'Basic' ? Buffer.from(value, 'base64').toString().replace(/:$/, '') : value
  return Object.hasOwn(accounts, key) ? (accounts[key] ?? null) : null
}
