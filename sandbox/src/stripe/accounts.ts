import type { Call } from '../json-server.ts'

/** The accounts that the simulator knows, by their key: the profile of each. The keys open nothing else. */
export const accounts: Readonly<Record<string, string>> = {
  /** The service under test, as a seller. */
  sk_test_sandbox: 'profile_test_sandbox',
  /** The same, as the agent that issues tokens for its buyers. */
  sk_test_agent: 'profile_test_agent',
  /** The paid API of the sandbox. */
  sk_test_stranger: 'profile_sandbox',
}

/** Whose call it is; null: nobody's. The key is a bearer token, or the name of HTTP's basic scheme. */
export function profileOf(call: Call): string | null {
  const [, scheme, value = ''] = /^(Bearer|Basic) (\S+)$/.exec(call.header('authorization') ?? '') ?? []
  const key = scheme === 'Basic' ? Buffer.from(value, 'base64').toString().replace(/:$/, '') : value
  return Object.hasOwn(accounts, key) ? (accounts[key] ?? null) : null
}
