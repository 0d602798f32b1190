import { once } from 'node:events'
import {
  Agent,
  createServer,
  type IncomingMessage,
  request,
  type Server,
  type ServerResponse,
} from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'

/** An API behind the front. */
export type Backend = {
  version: string
  base: string
  /** Connections to it are kept alive, as balancers do. Versions that let a kept connection hold up their stop are spared this. */
  keepsAlive: boolean
  /** It is stopping: it may refuse or break off requests that were sent to it after the signal. */
  isStopping: boolean
}

type Answers = { rest: number; mcp: number }

/**
 * The load balancer before the APIs of a deployment: one address, from which requests go to one backend after the other, of any version.
 * It sees the answers of every version. An answer that no client should get is a trouble.
 */
export type Front = {
  lead(to: readonly Backend[]): void
  /** The number of answers of each version, without the troubles. */
  answers(): Readonly<Record<string, Answers>>
  troubles(): readonly string[]
  /** Requests that a stopping backend refused or broke off. The clients sent them again. */
  refusals(): number
  close(): Promise<void>
}

export async function openFront(port: number): Promise<Front> {
  const agents = { kept: new Agent({ keepAlive: true }), single: new Agent({ keepAlive: false }) }
  const answers: Record<string, Answers> = {}
  const troubles: string[] = []
  let backends: readonly Backend[] = []
  let turn = 0
  let refused = 0

  function judge(backend: Backend, about: string, answer: Answer | Error): void {
    const isBroken = answer instanceof Error
    if (!isBroken && answer.status < 500) {
      answers[backend.version] ??= { rest: 0, mcp: 0 }
      const counts = answers[backend.version]
      if (counts) counts[about.includes('/mcp/') ? 'mcp' : 'rest'] += 1
    } else if (backend.isStopping && (isBroken || answer.status === 503)) refused += 1
    else {
      const what = isBroken ? `nothing: ${answer.message}` : `${answer.status} ${answer.body}`
      troubles.push(`the ${backend.version} API answered ${about} with ${what}`.slice(0, 500))
    }
  }

  async function serve(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await read(incoming)
    const backend = backends[turn++ % backends.length]
    if (!backend) return void outgoing.writeHead(502).end('{}')
    const agent = backend.keepsAlive ? agents.kept : agents.single
    const answer = await pass(agent, backend.base, incoming, body).catch((error: Error) => error)
    judge(backend, `${incoming.method} ${incoming.url}`, answer)
    // The client sends it again under the same key.
    if (answer instanceof Error) return void outgoing.writeHead(502).end('{}')
    outgoing.writeHead(answer.status, answer.headers).end(answer.body)
  }

  const server = createServer((incoming, outgoing) => {
    serve(incoming, outgoing).catch(() => outgoing.destroy())
  })
  await listenOn(server, port)
  return {
    lead(to) {
      backends = to
    },
    answers: () => structuredClone(answers),
    troubles: () => troubles,
    refusals: () => refused,
    async close() {
      agents.kept.destroy()
      agents.single.destroy()
      server.close()
      server.closeAllConnections()
    },
  }
}

type Answer = { status: number; headers: string[]; body: Buffer }

async function pass(agent: Agent, base: string, incoming: IncomingMessage, body: Buffer): Promise<Answer> {
  const { hostname, port } = new URL(base)
  const { method, url: path } = incoming
  const outgoing = request({ agent, hostname, port, method, path, headers: endToEnd(incoming.rawHeaders) })
  // The client that waits for the answer, or for its rest, gets the error. No other code needs it.
  outgoing.on('error', () => undefined)
  outgoing.end(body)
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    outgoing.once('response', resolve).once('error', reject)
  })
  return {
    status: response.statusCode ?? 0,
    headers: endToEnd(response.rawHeaders),
    body: await read(response),
  }
}

const hopByHop = ['connection', 'keep-alive', 'transfer-encoding', 'content-length']

/** Names and values in turn, without the headers of one connection. */
function endToEnd(headers: readonly string[]): string[] {
  return headers.flatMap((name, index, all) =>
    index % 2 === 1 || hopByHop.includes(name.toLowerCase()) ? [] : [name, all[index + 1] ?? ''],
  )
}

async function read(stream: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** The process that listened here before may have got its signal a moment ago. */
async function listenOn(server: Server, port: number): Promise<void> {
  for (let tries = 0; ; tries++) {
    try {
      server.listen(port, '127.0.0.1')
      return void (await once(server, 'listening'))
    } catch (error) {
      const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE'
      if (!isTaken || tries === 100) throw error
      await delay(100)
    }
  }
}
