import { businessPaths, paidPaths } from '../../contract/business-address.ts'
import type { Mode } from '../../contract/context.ts'
import type { Id } from '../../core/id.ts'

/** A merchant whom strangers may name. */
export type Business = { readonly accountId: Id<'acct'>; readonly mode: Mode; readonly slug: string }

export type FindBusiness = (mode: Mode, slug: string) => Promise<{ accountId: Id<'acct'> } | null>

export type HostNames = {
  /** The path that a request to the host of a business means here; null: the host is none of a business. */
  pathOf(host: string | undefined, url: string): string | null
  /** The address of a business by its host; null: the request did not come there. */
  addressOf(host: string | undefined): string | null
}

/** With `ucpHost` each live merchant has a host of its own, `{slug}.{ucpHost}`, at whose root it is. */
export function hostNames({ ucpHost, publicUrl }: { ucpHost: string | null; publicUrl: string }): HostNames {
  const scheme = publicUrl.slice(0, publicUrl.indexOf(':'))
  const suffix = ucpHost === null ? null : `.${ucpHost.toLowerCase()}`
  const slugOf = (host: string | undefined): string | null => {
    const name = host?.toLowerCase() ?? ''
    if (suffix === null || !name.endsWith(suffix)) return null
    const slug = name.slice(0, -suffix.length)
    return /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/.test(slug) ? slug : null
  }
  return {
    pathOf(host, url) {
      const slug = slugOf(host)
      if (slug === null) return null
      const paid = paidPart(url)
      return paid === null ? `${businessPaths.live}/${slug}${url}` : `${paidPaths.live}/${slug}${paid}`
    },
    addressOf(host) {
      return slugOf(host) === null ? null : `${scheme}://${host?.toLowerCase()}`
    },
  }
}

/** What of a merchant's own host belongs to MPP, below its address there; null: it belongs to UCP. */
function paidPart(url: string): string | null {
  if (url.startsWith('/mpp/')) return url.slice('/mpp'.length)
  return /^\/(openapi|\.well-known\/mpp)\.json(\?|$)/.test(url) ? url : null
}
