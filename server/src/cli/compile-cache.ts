import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Where Node keeps the code that it has compiled: without it every process strips the types of all modules and parses them again, which
 * is more than half of a start. It is stored beside the code and belongs to the same owner, because in a shared temporary folder another
 * user could plant code. Where it cannot be written, nothing is kept.
 */
export const compileCacheFolder = fileURLToPath(
  new URL('../../../node_modules/.cache/prokura', import.meta.url),
)

/** For the modules that this process loads from here on. Processes that it starts get `NODE_COMPILE_CACHE`. */
export function useCompileCache(): void {
  enableCompileCache(compileCacheFolder)
}
