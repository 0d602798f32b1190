import { type Fill, type Html, html, written } from './html.ts'

export type Look = { title: string; tagline: string; lang: string; accent: string }

type Shown = {
  look: Look
  title: string
  head?: Fill
  /** Links beside the name of the shop. */
  nav?: Fill
  body: Fill
}

/** A page of a shop: its head, its name, what it shows, and a foot. */
export function shopPage({ look, title, head, nav, body }: Shown): Html {
  return html`<!doctype html>
<html lang="${look.lang}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${look.title}</title>
${head}
<style>:root { --accent: ${look.accent} }
${written(style)}</style>
</head>
<body>
<header class="site"><a class="logo" href="/">${look.title}</a><span class="tagline">${look.tagline}</span><nav>${nav}</nav></header>
<main>${body}</main>
<footer class="site"><p>© 2026 ${look.title}</p></footer>
</body>
</html>
`
}

/** A drawing in place of a photograph. */
export function drawing(name: string, accent: string): string {
  const hue = [...name].reduce((sum, letter) => (sum * 31 + letter.charCodeAt(0)) % 360, 7)
  const initial = (name[0] ?? '·').replace(/[<>&]/g, '·')
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 400" role="img"><rect width="400" height="400" fill="hsl(${hue} 38% 92%)"/><circle cx="200" cy="190" r="110" fill="hsl(${hue} 42% 72%)"/><path d="M90 330h220" stroke="${accent}" stroke-width="10" stroke-linecap="round"/><text x="200" y="225" font-family="Georgia, serif" font-size="110" text-anchor="middle" fill="#fff">${initial}</text></svg>`
}

const style = `
* { box-sizing: border-box }
body { margin: 0; font: 16px/1.55 system-ui, -apple-system, "Segoe UI", Roboto, sans-serif; color: #22262b; background: #f7f6f3 }
a { color: var(--accent) }
header.site, footer.site { background: #fff; padding: 14px 28px; display: flex; gap: 18px; align-items: baseline; border-bottom: 1px solid #e4e1da }
header.site nav { margin-left: auto; display: flex; gap: 16px }
footer.site { border: 0; border-top: 1px solid #e4e1da; color: #777; font-size: 14px }
.logo { font: 700 22px Georgia, serif; text-decoration: none }
.tagline { color: #888; font-size: 14px }
main { max-width: 1000px; margin: 28px auto; padding: 0 24px; min-height: 60vh }
h1 { font: 600 30px/1.2 Georgia, serif; margin: 0 0 14px }
.product { display: grid; grid-template-columns: 1fr 1fr; gap: 36px; background: #fff; padding: 28px; border-radius: 10px }
.product img, .grid img { width: 100%; border-radius: 8px }
.grid { display: grid; grid-template-columns: repeat(auto-fill, minmax(200px, 1fr)); gap: 20px; list-style: none; padding: 0 }
.grid li, .panel { background: #fff; border-radius: 10px; padding: 18px }
.price { font-size: 22px; font-weight: 600 }
.columns { display: grid; grid-template-columns: 1.6fr 1fr; gap: 24px; align-items: start }
.panel + .panel { margin-top: 18px }
label { display: block; font-size: 14px; margin: 10px 0 3px }
input:not([type=radio]):not([type=checkbox]), select { width: 100%; padding: 9px 11px; border: 1px solid #c9c5bb; border-radius: 6px; font: inherit; background: #fff }
input.qty { width: 84px !important }
fieldset { border: 1px solid #e4e1da; border-radius: 8px; margin: 14px 0; padding: 10px 16px 16px }
.choice { display: flex; gap: 10px; align-items: center; margin: 8px 0; font-size: 16px }
.choice input { width: auto }
button, .button { display: inline-block; background: var(--accent); color: #fff; border: 0; border-radius: 6px; padding: 11px 22px; font: 600 16px system-ui, sans-serif; cursor: pointer; text-decoration: none; margin-top: 14px }
button.plain { background: none; color: var(--accent); padding: 4px 6px; margin: 0 }
button[disabled] { background: #bbb; cursor: not-allowed }
table { width: 100%; border-collapse: collapse }
td, th { text-align: left; padding: 8px 4px; border-bottom: 1px solid #eee; vertical-align: top }
td.amount, th.amount { text-align: right; white-space: nowrap }
tr.total td, tr.total th { font-weight: 700; font-size: 18px; border-bottom: 0 }
.notice { background: #fdecea; color: #8a1c12; border-radius: 6px; padding: 10px 14px; margin: 0 0 16px }
.good { background: #e8f4ea; color: #1d5a2a }
.stock { color: #2c7a3c } .stock.out { color: #a33 }
@media (max-width: 720px) { .product, .columns { grid-template-columns: 1fr } }
`
