/** What belongs into a field. `nothing`: no part of the buyer does. */
type Right =
  | 'first'
  | 'last'
  | 'whole'
  | 'email'
  | 'phone'
  | 'national'
  | 'afterCode'
  | 'dial'
  | 'tel1'
  | 'tel2'
  | 'tel3'
  | 'line1'
  | 'line2'
  | 'street'
  | 'number'
  | 'bareNumber'
  | 'addition'
  | 'city'
  | 'state'
  | 'zip'
  | 'zip1'
  | 'zip2'
  | 'country'
  | 'neutral'
  | 'nothing'

/** A field as a shop writes it: what a person reads, and what a program does. */
export type FormField = {
  right: Right
  label?: string
  name?: string
  autocomplete?: string
  type?: string
  max?: number
  placeholder?: string
  legend?: string
  isRequired?: boolean
  options?: readonly (readonly [value: string, text: string])[]
  /** What a select shows at first. */
  preset?: string
}

export type ShopForm = { id: string; language: string; fields: readonly FormField[] }

/** `first*: First name @given-name <12>`: what is right, whether it is required, its label, its token and its length; `#` begins its name. */
function field(text: string): FormField {
  const [, right = '', star = '', rest = ''] = /^(\w+)(\*?):\s*(.*)$/u.exec(text) ?? []
  const part = (pattern: RegExp) => pattern.exec(rest)?.[1]
  const label = rest.replaceAll(/[@#~](?:[\w[\]-]+)|<\d+>|\{[^}]*\}/gu, '').trim()
  const max = part(/<(\d+)>/u)
  return {
    right: right as Right, // the words of this file
    isRequired: star === '*',
    label,
    autocomplete: part(/@([\w-]+)/u) ?? '',
    name: part(/#([\w[\]-]+)/u) ?? '',
    type: part(/~(\w+)/u) ?? 'text',
    placeholder: part(/\{([^}]*)\}/u) ?? '',
    ...(max === undefined ? {} : { max: Number(max) }),
  }
}

export const form = (id: string, language: string, ...fields: (string | FormField)[]): ShopForm => ({
  id,
  language,
  fields: fields.map((one) => (typeof one === 'string' ? field(one) : one)),
})

export const list = (right: Right, more: Partial<FormField> & Pick<FormField, 'options'>): FormField => ({
  right,
  type: 'select',
  ...more,
})

export const months = Array.from(
  { length: 12 },
  (_, at) => [String(at + 1).padStart(2, '0'), String(at + 1).padStart(2, '0')] as const,
)
export const years = Array.from({ length: 12 }, (_, at) => [String(2015 + at), String(2015 + at)] as const)
