import { freezeControls } from './freeze-controls.ts'
import type { FreezeReads } from './port.ts'
import { unfreezeControls } from './unfreeze-controls.ts'

export function controlOperations(reads: FreezeReads) {
  return [freezeControls(reads), unfreezeControls(reads)]
}
