import { BadRequest, type Fields } from '../fields.ts'

/** `closesKeys` false: as a processor that cannot be told to refuse a key. */
export type ProcessorSettings = { closesKeys: boolean }

export const processorDefaults: ProcessorSettings = { closesKeys: true }

export function parseProcessorSettings(body: Fields): Partial<ProcessorSettings> {
  const unknown = Object.keys(body).find((name) => name !== 'closes_keys')
  if (unknown !== undefined) throw new BadRequest(`there is no setting ${unknown}`)
  if (body.closes_keys === undefined) return {}
  if (typeof body.closes_keys !== 'boolean') throw new BadRequest('closes_keys must be true or false')
  return { closesKeys: body.closes_keys }
}
