import { isObject } from '../fields.ts'
import { exchange } from './exchange.ts'
import { parts } from './reading.ts'

/** Where a platform wants to be told of its orders, as its profile says. One that cannot be read wants nothing. */
export async function webhookOf(profileUrl: string): Promise<string | undefined> {
  if (!URL.canParse(profileUrl)) return undefined
  try {
    const { text } = await exchange(profileUrl, { method: 'GET', timeoutMs: 2_000 })
    const profile: unknown = JSON.parse(text)
    const ucp = isObject(profile) && isObject(profile.ucp) ? profile.ucp : {}
    const orders = parts(ucp, 'capabilities')?.find(({ name }) => name === 'dev.ucp.shopping.order')
    const config = orders?.config
    return isObject(config) && typeof config.webhook_url === 'string' ? config.webhook_url : undefined
  } catch {
    return undefined
  }
}
