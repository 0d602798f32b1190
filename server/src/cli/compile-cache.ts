import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/**
 * Where Node keeps what it has compiled: without it every process strips the types of, and parses, all modules again, which is more
 * than half of a start. It lies with the code it is made of and belongs to the same owner, since in a shared temporary folder
 * somebody else could plant code of theirs. Where it cannot be written, nothing is kept.
 */
export const compileCacheFolder = fileURLToPath(
  new URL('../../../node_modules/.cache/prokura', import.meta.url),
)

/** For the modules that this process loads from here on. Processes it starts are told by `NODE_COMPILE_CACHE`. */
export function useCompileCache(): void {
  enableCompileCache(compileCacheFolder)
}
