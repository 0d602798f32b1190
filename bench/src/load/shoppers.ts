import { fileURLToPath } from 'node:url'
import type { Work } from '../benchmark.ts'
import { startBenchChild } from '../child.ts'
import type { ShoppersOrder, ShoppersReport } from '../targets/shoppers.ts'
import type { World } from '../world/world.ts'

type Shoppers = {
  run(
    order: Omit<ShoppersOrder, 'url'>,
  ): Promise<Required<Pick<Work, 'operations' | 'seconds' | 'latencyMs'>>>
  stop(): Promise<void>
}

const script = fileURLToPath(new URL('../targets/shoppers.ts', import.meta.url))

/** Buyers in a process of their own. */
export async function startShoppers({ ready }: World): Promise<Shoppers> {
  const child = await startBenchChild<{ ready: true }>(script, [ready.database_url])
  return {
    async run(order) {
      child.send({ ...order, url: ready.base_url })
      const { failure, ...work } = (await child.nextLine()) as ShoppersReport // the script's only kind of line
      if (failure !== null) throw new Error(failure)
      return work
    },
    stop: () => child.stop(),
  }
}
