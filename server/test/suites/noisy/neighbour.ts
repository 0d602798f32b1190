import { fork } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { EndpointName, Order, Told } from './wire.ts'

/** The process of the neighbor: its endpoints, and all the noise that it makes. */
export type NeighbourProcess = {
  ports: Record<EndpointName, number>
  certificate: string
  tell(order: Order): Promise<Told>
  stop(): Promise<void>
}

export async function startNeighbour(): Promise<NeighbourProcess> {
  const child = fork(join(import.meta.dirname, 'neighbour-process.ts'), { stdio: 'inherit' })
  const ended = once(child, 'exit')
  const waiting = new Map<number, PromiseWithResolvers<Told>>()
  let orders = 0
  child.on('message', ({ id, told }: { id: number; told: Told }) => {
    waiting.get(id)?.resolve(told)
    waiting.delete(id)
  })
  void ended.then(() => {
    for (const one of waiting.values()) one.reject(new Error('the neighbour ended before it answered'))
  })
  function tell(order: Order): Promise<Told> {
    const id = orders++
    const answer = Promise.withResolvers<Told>()
    waiting.set(id, answer)
    child.send({ id, order }, (error) => error && answer.reject(error))
    return answer.promise
  }
  const { ports, certificate } = await tell({ do: 'open' })
  if (!ports || !certificate) throw new Error('the neighbour opened nothing')
  return {
    ports,
    certificate,
    tell,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
      await ended
    },
  }
}
