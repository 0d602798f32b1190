import { randomBytes } from 'node:crypto'
import type { Command } from 'commander'
import { defaultLimits } from '../../contract/limits.ts'
import { createIdSource } from '../../core/id.ts'
import { createHttpServer, type HttpServer } from '../../surfaces/http/server.ts'
import { registerFixtures } from '../../surfaces/v1/mcp/fixtures/fixture-server.ts'
import { rpcRefusal } from '../../surfaces/v1/mcp/rpc-refusal.ts'
import { runUntilStopped } from '../role.ts'
import { onPort } from '../up/port-words.ts'
import { portNumber } from '../whole-number.ts'

export function addMcpFixturesCommand(program: Command): void {
  program
    .command('mcp-fixtures')
    .description(
      'Serve what the official MCP conformance runner expects, through the MCP handler of the API.',
    )
    .option('--port <n>', 'the port to listen on, on 127.0.0.1; 0 takes a free one', portNumber, 0)
    .option('--parent-pipe', 'stop when standard input closes')
    .action(async ({ port, parentPipe }: { port: number; parentPipe?: boolean }) => {
      const app = createFixtureServer()
      const url = await onPort({ host: '127.0.0.1', port, setting: '--port' }, () =>
        app.listen({ host: '127.0.0.1', port }),
      )
      const ready = { role: 'mcp-fixtures', base_url: url, mcp_url: `${url}/mcp/v1`, pid: process.pid }
      await runUntilStopped(ready, parentPipe ?? false, () => app.close())
    })
}

/** The HTTP edge of the API, without its operations. */
function createFixtureServer(): Pick<HttpServer, 'listen' | 'close'> {
  const newId = createIdSource(randomBytes)
  const onBug = (error: unknown) => console.error(error)
  const publicUrl = 'http://127.0.0.1'
  const http = createHttpServer({
    dialect: rpcRefusal,
    publicUrl,
    trustedProxies: [],
    limits: defaultLimits,
    newRequestId: () => newId('req', Date.now()),
    onRequest: () => undefined,
    onBug,
  })
  const fixtures = registerFixtures(http, { publicUrl, onBug })
  return {
    listen: http.listen,
    async close() {
      await fixtures.close()
      await http.close()
    },
  }
}
