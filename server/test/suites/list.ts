import { type Needs, wholeMachine } from '../gate/fits.ts'

/** A suite the gate runs: a program of its own that prints what it did and ends with the line `NAME: … N passed, N failed`. */
type Suite = Needs & { readonly name: string; readonly flags?: readonly string[] }

/** For the repository's Node, from the root. */
export function commandOf({ name, flags = [] }: Suite, size: 'gate' | 'long'): string[] {
  return [...flags, 'server/test/suites/main.ts', name, '--size', size]
}

export const gateSuites: readonly Suite[] = [
  { name: 'matrix', cores: 1, memory: 800 },
  { name: 'fuzz', cores: 0.9, memory: 1000 },
  { name: 'allowed', cores: 0.5, memory: 600 },
  { name: 'guides', cores: 0.7, memory: 700 },
  { name: 'clients', cores: 1, memory: 700 },
  { name: 'bad-bytes', cores: 0.4, memory: 900, flags: ['--expose-gc'] },
  { name: 'races', cores: 1.1, memory: 1800 },
  { name: 'kills', cores: 1, memory: 2600 },
  { name: 'chaos', cores: 0.9, memory: 2600 },
  { name: 'stops', cores: 0.9, memory: 2800 },
  { name: 'stopped-worker', cores: 0.6, memory: 1000 },
  { name: 'crash-points', cores: 0.9, memory: 1000 },
  { name: 'mcp-conformance', cores: 0.9, memory: 300 },
  { name: 'backup', cores: 0.7, memory: 800 },
  { name: 'upgrade', cores: 0.9, memory: 1300 },
  { name: 'egress', cores: 0.6, memory: 800 },
  { name: 'receivers', cores: 1, memory: 1200 },
  { name: 'noisy', ...wholeMachine },
  { name: 'neighbours', ...wholeMachine },
  { name: 'agent-safety', cores: 1, memory: 1100 },
  { name: 'chats', cores: 1, memory: 1100 },
  { name: 'lives', cores: 1, memory: 300 },
  { name: 'forms', cores: 1, memory: 400 },
  { name: 'model', cores: 1, memory: 800 },
  { name: 'anywhere', cores: 0.9, memory: 1500 },
  { name: 'clock', cores: 0.6, memory: 400 },
  { name: 'elements', cores: 0.9, memory: 1900 },
  { name: 'mutation', cores: 1.1, memory: 1500 },
]
