import type { Person } from './buyers.ts'
import type { FormField, ShopForm } from './form.ts'

/** What may stand in a field once somebody has filled it in for this person. None: the field cannot be right, and stays as it was. */
export function rightIn(field: FormField, shop: ShopForm, person: Person): readonly string[] {
  const { right, max, options } = field
  const all = valuesOf(field, shop, person).filter(
    (value) => value !== '' && (max === undefined || value.length <= max),
  )
  if (options === undefined || right === 'neutral' || right === 'dial') return all
  return all.filter((value) => options.some(([one]) => one === value))
}

function valuesOf(field: FormField, { fields }: ShopForm, person: Person): string[] {
  const asks = (...rights: FormField['right'][]) => fields.some(({ right }) => rights.includes(right))
  const [e164, national, significant] = person.phone
  const isAmerican = e164.startsWith('+1') && !e164.startsWith('+18')
  const bareZip = person.zip.replaceAll(/[ -]/g, '')
  const isApart = asks('number', 'bareNumber')
  switch (field.right) {
    case 'last':
      return [person.last || person.first]
    case 'first':
    case 'whole':
    case 'email':
    case 'city':
    case 'state':
    case 'country':
    case 'bareNumber':
    case 'addition':
      return [person[field.right]]
    case 'phone':
      return [e164, national, `00${e164.slice(1)}`]
    case 'national':
      return [national]
    case 'afterCode':
      return [significant, national]
    case 'dial':
      return (field.options ?? []).flatMap(([value]) => (e164 === value + significant ? [value] : []))
    case 'tel1':
      return isAmerican ? [national.slice(0, 3)] : []
    case 'tel2':
      return isAmerican ? [national.slice(3, 6)] : []
    case 'tel3':
      return isAmerican ? [national.slice(6)] : []
    case 'line1':
      return linesOf(person, asks('line2'))
    case 'street':
      return [person.street, ...(asks('line2') ? [] : [`${person.street}, ${person.unit || person.line2}`])]
    case 'number':
      return person.number
    case 'line2':
      return secondsOf(person, isApart)
    case 'zip':
      return [person.zip, bareZip]
    case 'zip1':
      return bareZip.length === 7 ? [bareZip.slice(0, 3)] : []
    case 'zip2':
      return bareZip.length === 7 ? [bareZip.slice(3)] : []
    case 'neutral':
      return (field.options ?? []).flatMap(([value, text]) =>
        /^(?:Mx|keine Angabe)$/.test(text) ? [value] : [],
      )
    case 'nothing':
      return []
    default:
      return field.right satisfies never
  }
}

/** Whole, as people shorten it, and with the second line where that has no field. */
function linesOf({ line1, line2, id }: Person, hasSecond: boolean): string[] {
  const short = id === 'us' ? ['1847 NW Thurman Blvd'] : []
  const lines = [line1, ...short]
  return hasSecond || line2 === '' ? lines : lines.map((line) => `${line}, ${line2}`)
}

/** What does not fit into the first line may stand here as well. */
function secondsOf({ unit, line2, id }: Person, isApart: boolean): string[] {
  const spilled = { br: ['Apto 12'], pt: ['3º Esq.'] }[id] ?? []
  return [
    (isApart ? [unit, line2] : [line2]).filter((text) => text !== '').join(', '),
    ...(isApart ? [] : spilled),
  ]
}

/** Whether a form cannot be sent for this person: what it insists on has no right answer, or it shows a wrong one that cannot be undone. */
export function mustStop(shop: ShopForm, person: Person): boolean {
  return shop.fields.some(
    (field) =>
      (field.isRequired === true || field.preset !== undefined) && rightIn(field, shop, person).length === 0,
  )
}

/** The form as a page shows it. */
export function markupOf({ fields }: ShopForm, prefix: string): string {
  const written = fields.map((field, at) => {
    const {
      label = '',
      name = '',
      autocomplete = '',
      type = 'text',
      max,
      placeholder = '',
      legend,
      isRequired,
      options,
      preset,
    } = field
    const id = `${prefix}-${at}`
    const shared = `id="${id}" name="${name}"${autocomplete === '' ? '' : ` autocomplete="${autocomplete}"`}${isRequired ? ' required' : ''}`
    const input =
      options === undefined
        ? `<input type="${type}" ${shared}${max === undefined ? '' : ` maxlength="${max}"`} placeholder="${placeholder}">`
        : `<select ${shared}>${options.map(([value, text]) => `<option value="${value}"${value === preset ? ' selected' : ''}>${text}</option>`).join('')}</select>`
    const said = label === '' ? '' : `<label for="${id}">${label}${isRequired ? ' *' : ''}</label>`
    return legend === undefined
      ? `<p>${said}${input}</p>`
      : `<fieldset><legend>${legend}</legend>${said}${input}</fieldset>`
  })
  return `<form>${written.join('\n')}<button>Continue</button></form>`
}
