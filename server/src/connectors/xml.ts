/** An element without its namespace prefix; `text` is its direct text. */
export type Element = { name: string; attributes: ReadonlyMap<string, string>; children: Element[]; text: string }

export class BadXml extends Error {}

const deepest = 40
const most = 500_000

const token =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y
const attribute = /([\w.:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g
const entities = new Map(Object.entries({ lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }))

const localName = (name: string) => name.slice(name.indexOf(':') + 1)

const decode = (text: string) =>
  text.replaceAll(/&(?:#(\d{1,6})|#x([0-9a-fA-F]{1,5})|(\w+));/g, (_, decimal, hex, name) => {
    if (name !== undefined) {
      const letter = entities.get(String(name))
      if (letter === undefined) throw new BadXml(`an entity that is not known: ${name}`)
      return letter
    }
    return String.fromCodePoint(decimal === undefined ? parseInt(String(hex), 16) : Number(decimal))
  })

/**
 * The subset of XML in answers of data services: elements, attributes, text. A document type, and with it entities and external references, is
 * refused, as is anything else outside the subset.
 */
export const parseXml = (text: string): Element => {
  const top: Element = { name: '', attributes: new Map(), children: [], text: '' }
  const open = [top]
  let count = 0
  const source = text.replace(/^\uFEFF/, '').trim()
  token.lastIndex = 0
  while (token.lastIndex < source.length) {
    const at = token.lastIndex
    const match = token.exec(source)
    if (!match) throw new BadXml(`not understood at ${at}: ${source.slice(at, at + 40)}`)
    const [, close, name, attributes, empty, words] = match
    const parent = open.at(-1) ?? top
    if (words !== undefined) parent.text += decode(words)
    if (name === undefined) continue
    if (close) {
      if (open.length < 2 || parent.name !== localName(name)) throw new BadXml(`</${name}> closes nothing`)
      open.pop()
      continue
    }
    if (++count > most || open.length > deepest) throw new BadXml('too many or too deep elements')
    const element: Element = {
      name: localName(name),
      attributes: new Map(
        Array.from((attributes ?? '').matchAll(attribute), ([, key = '', a, b]) => [
          localName(key),
          decode(a ?? b ?? ''),
        ]),
      ),
      children: [],
      text: '',
    }
    parent.children.push(element)
    if (!empty) open.push(element)
  }
  const [root] = top.children
  if (open.length > 1) throw new BadXml(`<${open.at(-1)?.name}> is not closed`)
  if (!root || top.children.length > 1 || top.text.trim()) throw new BadXml('expected one root element')
  return root
}

export const childrenOf = (element: Element, name: string): Element[] =>
  element.children.filter((child) => child.name === name)

/** The trimmed text at a path of first children, or null. */
export const textAt = (element: Element, ...path: string[]): string | null => {
  let target: Element | undefined = element
  for (const name of path) target = target?.children.find((child) => child.name === name)
  return target ? target.text.trim() : null
}
