import { type ReactNode, useEffect, useRef } from 'react'

let isFirst = true

/** The heading of a view: the window is called by it, and who goes to the view by keyboard or hears it begins there. */
export function Title({ children }: { readonly children: ReactNode }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    document.title = `${heading.current?.textContent} · Prokura`
  })
  useEffect(() => {
    // The page that has just been loaded is read from its beginning.
    if (!isFirst) heading.current?.focus({ preventScroll: true })
    isFirst = false
  }, [])
  return (
    <h1 ref={heading} tabIndex={-1}>
      {children}
    </h1>
  )
}
