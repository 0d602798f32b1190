import type { Shown } from './memory.ts'
import { subjectOf } from './subject.ts'
import type { Call, Talk, Wanted } from './talk.ts'
import { productsMeant } from './which-product.ts'

export function detail(talk: Talk, { which, options }: Wanted<'show'>): Call[] {
  const product = talk.oneOf(productsMeant(which, options, talk.memory))
  if (!product) return []
  talk.show.push(product.id)
  talk.tell(talk.say.detail(product.title, talk.price(product), product.merchant))
  for (const { name, values } of optionsOf(product)) talk.tell(talk.say.options(name, values.join(', ')))
  talk.remember({
    speaksOf: 'products',
    subject: subjectOf(product, { options: options ?? {} }),
    asks: { kind: 'whether' },
  })
  return talk.tell(talk.say.shallI)
}

export function optionsOf(product: Shown): { name: string; values: string[] }[] {
  const names = [...new Set(product.variants.flatMap(({ options }) => options.map(({ name }) => name)))]
  return names.map((name) => {
    const labels = product.variants.flatMap(({ options }) => options.filter((one) => one.name === name))
    return { name, values: [...new Set(labels.map(({ label }) => label))] }
  })
}
