import { useLanguage } from './words.ts'

/** A time where the person is, with the name of its zone; to the second in UTC for a closer look. */
export function Time({ at }: { readonly at: string }) {
  const language = useLanguage()
  const format = new Intl.DateTimeFormat(language, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZoneName: 'short',
  })
  return (
    <time dateTime={at} title={at}>
      {format.format(new Date(at))}
    </time>
  )
}
