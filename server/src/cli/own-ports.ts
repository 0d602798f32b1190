import type { Config } from '../platform/config/config.ts'
import { sandboxNamesOf } from './sandbox-names.ts'

/** Our ports on this machine: a tenant that names one of them reaches nothing. */
export function ownPortsOf(config: Config, metricsUrl: string | null): number[] {
  const databases = [config.databaseUrl, config.databaseDirectUrl].map((url) => url?.reveal() ?? null)
  // The shops of the sandbox are reached by their names, as shops elsewhere are.
  const shops = Object.values(sandboxNamesOf(config)?.addresses ?? {}).map((at) => `https://${at}`)
  const { publicUrl, vaultUrl, elementsUrl, cardsUrl } = config
  const { railUrl, sandboxUrl, sandboxMerchantUrl, sandboxCatalogUrl, stripe } = config
  const simulator = stripe.test?.url ?? null
  const ours = [publicUrl, vaultUrl, elementsUrl, cardsUrl, metricsUrl]
  const urls = [...ours, railUrl, sandboxUrl, sandboxMerchantUrl, sandboxCatalogUrl, simulator]
  const ports = [...urls, ...databases, ...shops].flatMap((url) =>
    url === null ? [] : [portOf(new URL(url))],
  )
  return [
    ...new Set([
      ...ports,
      config.port,
      ...[config.metricsPort, config.vaultPort].flatMap((port) => port || []),
      ...config.ownPorts,
    ]),
  ]
}

const usualPorts: Readonly<Record<string, number>> = { 'http:': 80, 'https:': 443 }

function portOf({ port, protocol }: URL): number {
  return port === '' ? (usualPorts[protocol] ?? 5432) : Number(port)
}
