/**
 * Runs in a world of its own in each document of the page, so that the page's script cannot change what it does. `closed` are the roots that
 * a page hides from its own script, too. It returns a function: that one gives back what was there, and says how much would have shown
 * because the page has changed in between.
 */
export const maskScript = `function (...closed) {
  const sheet = new CSSStyleSheet()
  const most = ':not(#\\\\9)'.repeat(6)
  const fields = 'input:not([type=submit]):not([type=button]):not([type=reset]):not([type=image]):not([type=checkbox]):not([type=radio])'
  sheet.replaceSync(\`
    :is(\${fields}, textarea, select, [role=combobox], [contenteditable]:not([contenteditable=false]))\${most} {
      color: transparent !important; -webkit-text-fill-color: transparent !important; text-shadow: none !important;
      background: #777 !important; caret-color: transparent !important; -webkit-text-security: disc !important; }
    :is(\${fields}, textarea)\${most}::placeholder { color: transparent !important; -webkit-text-fill-color: transparent !important; }
    :is([role=combobox], [contenteditable]:not([contenteditable=false]))\${most} * { visibility: hidden !important; }\`)
  const roots = []
  const collect = (root) => {
    roots.push(root)
    for (const element of root.querySelectorAll('*')) if (element.shadowRoot) collect(element.shadowRoot)
  }
  collect(document)
  for (const root of closed) if (root.isConnected && !roots.includes(root)) collect(root)
  const sheets = roots.map((root) => [root, root.adoptedStyleSheets])
  for (const [root, known] of sheets) root.adoptedStyleSheets = [...known, sheet]
  const hidden = []
  for (const root of roots)
    for (const frame of root.querySelectorAll('iframe, frame, object, embed')) {
      let isOwn = false
      try { isOwn = frame.contentDocument !== null && frame.contentDocument !== undefined } catch {}
      if (isOwn) continue
      hidden.push([frame, frame.getAttribute('style')])
      frame.style.setProperty('visibility', 'hidden', 'important')
    }
  const long = /\\d(?:[\\s\\u00a0\\u2009\\u202f\\u2063.,·\\-–/]{0,4}\\d){11,}/g
  const findLong = () => {
    const nodes = []
    for (const root of roots) {
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT)
      for (let node = walker.nextNode(); node; node = walker.nextNode())
        if (!/^(?:SCRIPT|STYLE|NOSCRIPT|TEMPLATE)$/.test(node.parentNode?.nodeName ?? '')) nodes.push(node)
    }
    const found = new Map()
    const whole = nodes.map((node) => node.data).join('\\u2063')
    for (const { index, 0: text } of whole.matchAll(long)) {
      let at = 0
      for (const node of nodes) {
        const [from, to] = [Math.max(index - at, 0), Math.min(index + text.length - at, node.data.length)]
        if (from < to) found.set(node, [...(found.get(node) ?? []), [from, to]])
        at += node.data.length + 1
      }
    }
    return found
  }
  const texts = []
  const cover = () => {
    const found = findLong()
    for (const [node, ranges] of found) {
      const before = node.data
      let after = before
      for (const [from, to] of ranges)
        after = after.slice(0, from) + after.slice(from, to).replace(/\\d/g, '•') + after.slice(to)
      node.data = after
      texts.push([node, before, after])
    }
    return found.size
  }
  cover()
  return () => {
    let shown = findLong().size
    for (const root of roots) if (!root.adoptedStyleSheets.includes(sheet)) shown += 1
    for (const [root] of sheets) root.adoptedStyleSheets = root.adoptedStyleSheets.filter((one) => one !== sheet)
    for (const [frame, style] of hidden) {
      if (frame.isConnected && frame.style.getPropertyValue('visibility') !== 'hidden') shown += 1
      // Written first, it can be removed: a style that was only set by script leaves an empty attribute.
      frame.setAttribute('style', style ?? '')
      if (style === null) frame.removeAttribute('style')
    }
    for (const [node, before, after] of texts.reverse()) if (node.data === after) node.data = before
    return shown
  }
}`

/** Counts what a document is made of, in characters, as far as a script can see it, and stops soon after `most`. */
export const sizeScript = `function (most) {
  let size = 0
  const roots = [document]
  for (const root of roots) {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT | NodeFilter.SHOW_COMMENT)
    for (let node = walker.nextNode(); node !== null; node = walker.nextNode()) {
      size += 100
      if (node.nodeType !== Node.ELEMENT_NODE) size += node.length
      else {
        for (const { name, value } of node.attributes) if ((size += name.length + value.length) > most) return size
        if (node.shadowRoot) roots.push(node.shadowRoot)
      }
      if (size > most) return size
    }
  }
  return size
}`
