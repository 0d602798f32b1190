import type { Socket } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { isPublicAddress } from './address.ts'
import { gatedConnector } from './connector.ts'
import { listen, noNames, stopAll } from './local-servers.testing.ts'

afterEach(stopAll)

test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
  'the literal %s, for which sockets ask no lookup, passes the gate all the same',
  async (hostname) => {
    const canary = await listen(createServer(), '::')
    const connect = gatedConnector(
      { admits: isPublicAddress, resolve: noNames },
      { connectTimeoutMs: 1_000, ca: undefined },
    )
    const outcome = await new Promise<Error | Socket | null>((resolve) => {
      connect({ hostname, protocol: 'http:', port: String(canary.port) }, (...[error, socket]) => {
        resolve(error ?? socket)
      })
    })
    expect(outcome).toMatchObject({ name: 'ConnectFailure', egressCode: 'blocked_address' })
    expect(canary.connections).toBe(0)
  },
)
