import { enableCompileCache } from 'node:module'
import { programFiles } from '../platform/files/program-files.ts'

/**
 * Node keeps the code that it has compiled: without it every process strips the types of all modules and parses them again, which is more
 * than half of a start. It is stored beside the code and belongs to the same owner, because in a shared temporary folder another user
 * could plant code. Where it cannot be written, nothing is kept. Its entries are named by where a module lies as seen from it: copies of
 * a checkout that share their packages share it, and it does not grow with them.
 */
export function useCompileCache(): void {
  enableCompileCache({ directory: programFiles.compileCache, portable: true })
}

/** The same for processes that this one starts, in another folder where they run as another user. */
export function compileCacheSettings(directory = programFiles.compileCache): NodeJS.ProcessEnv {
  return { NODE_COMPILE_CACHE: directory, NODE_COMPILE_CACHE_PORTABLE: '1' }
}
