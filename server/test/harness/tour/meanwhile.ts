import type { TestApp } from '../app.ts'

/** Does by one statement, again and again until the work is over, what a worker would do. */
export async function doneMeanwhile<T>(
  app: TestApp,
  name: string,
  text: string,
  work: () => Promise<T>,
): Promise<T> {
  let isOver = false
  const worked = work().finally(() => {
    isOver = true
  })
  while (!isOver) {
    await app.parts.pools.single({ name, text, values: [] })
    await Promise.race([worked, new Promise((resolve) => setTimeout(resolve, 20))])
  }
  return worked
}
