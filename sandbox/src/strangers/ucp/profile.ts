import { createHash } from 'node:crypto'
import { bytes, type Reply } from '../web/site.ts'
import { endpointPath, type Face, profileUrl, type Transport } from './face.ts'
import { handlerList, handlersOf } from './handlers.ts'
import { capabilities, capabilitiesAt, firstRelease, type Release } from './releases.ts'

const service = 'dev.ucp.shopping'

/** What the shop says of itself at a release: the newest one names the documents of the others. */
export function profileDocument(
  face: Face,
  release: Release,
  { keys, takesShared }: { keys: readonly object[]; takesShared: boolean },
): object {
  if (release === firstRelease) return firstProfile(face, keys)
  const older = face.releases.filter((one) => one < release)
  const isNewest = release === face.releases[0]
  return {
    ucp: {
      version: release,
      ...(isNewest && older.length > 0
        ? {
            supported_versions: Object.fromEntries(older.map((one) => [one, `${profileUrl(face)}/${one}`])),
          }
        : {}),
      services: { [service]: face.transports.map((transport) => serviceEntry(face, release, transport)) },
      capabilities: Object.fromEntries(
        capabilitiesAt(release).map((name) => [name, [{ version: release, ...documented(name, release) }]]),
      ),
      payment_handlers: handlersOf(face, { takesShared }),
    },
    // A platform of an older release may have fetched the newest document, and reads the second name alone.
    keys,
    signing_keys: keys,
  }
}

/** As every platform may keep it for a while. */
export function profileReply(document: object): Reply {
  const text = JSON.stringify(document)
  const etag = `"${createHash('sha256').update(text).digest('base64url').slice(0, 20)}"`
  return bytes(200, text, {
    'content-type': 'application/json',
    'cache-control': 'public, max-age=300',
    etag,
  })
}

function serviceEntry(face: Face, release: Release, transport: Transport): object {
  const [bare, dotted] =
    transport === 'rest' ? ['openapi.json', 'rest.openapi.json'] : ['openrpc.json', 'mcp.openrpc.json']
  return {
    version: release,
    transport,
    endpoint: endpointOf(face, release, transport),
    spec: `https://ucp.dev/${release}/specification/overview/`,
    schema: `https://ucp.dev/${release}/services/shopping/${release < '2026-04-08' ? bare : dotted}`,
  }
}

function endpointOf({ host }: Face, release: Release, transport: Transport): string {
  return `https://${host}${endpointPath(release, transport)}`
}

function documented(name: string, release: Release): object {
  const { file, extends: parent } = capabilities[name] ?? { file: name }
  return {
    spec: `https://ucp.dev/${release}/specification/${file}/`,
    schema: `https://ucp.dev/${release}/schemas/shopping/${file}.json`,
    ...(parent === undefined ? {} : { extends: parent }),
  }
}

/** The first release has lists, transports as members, and handlers beside `ucp`. */
function firstProfile(face: Face, keys: readonly object[]): object {
  return {
    ucp: {
      version: firstRelease,
      services: {
        [service]: {
          version: firstRelease,
          spec: `https://ucp.dev/${firstRelease}/specification/overview`,
          rest: {
            schema: `https://ucp.dev/${firstRelease}/services/shopping/openapi.json`,
            endpoint: endpointOf(face, firstRelease, 'rest'),
          },
        },
      },
      capabilities: capabilitiesAt(firstRelease).map((name) => ({
        name,
        version: firstRelease,
        ...documented(name, firstRelease),
      })),
    },
    payment: { handlers: handlerList(face) },
    signing_keys: keys,
  }
}
