import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'

/** Of what takes the place of something: whoever does not see the page hears that it did. */
export function Title({ children }: { readonly children: ComponentChildren }) {
  const title = useRef<HTMLHeadingElement>(null)
  useEffect(() => title.current?.focus(), [])
  return (
    <h1 ref={title} tabIndex={-1}>
      {children}
    </h1>
  )
}
