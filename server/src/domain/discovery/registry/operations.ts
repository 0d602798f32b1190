import { getRegistryEntry } from './get-registry-entry.ts'
import { listRegistry } from './list-registry.ts'

export const registryOperations = [listRegistry, getRegistryEntry]
