import { Prokura, type ProkuraOptions } from './prokura.ts'

// Only while it runs does a script know where it came from.
const { currentScript } = document
const source = currentScript instanceof HTMLScriptElement ? currentScript.src : ''

class ScriptProkura extends Prokura {
  constructor(publishableKey: string, options: ProkuraOptions = {}) {
    super(publishableKey, { url: source, ...options })
  }
}

Object.defineProperty(globalThis, 'Prokura', { value: ScriptProkura, configurable: true, writable: true })
