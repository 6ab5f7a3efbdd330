/** Plain text with headings (`### `) and lists (`- `), for the changelog and notes; it has no other markup. */
export type Block = { kind: 'heading' | 'paragraph'; text: string } | { kind: 'list'; items: string[] }

export const blocksOf = (text: string): Block[] => {
  const blocks: Block[] = []
  let isOpen = false
  for (const line of text.split('\n')) {
    const [, heading] = /^#{2,6} (.+)$/.exec(line) ?? []
    const [, item] = /^\s*[-*] (.+)$/.exec(line) ?? []
    const last = isOpen ? blocks.at(-1) : undefined
    isOpen = line.trim() !== '' && !heading
    if (heading) blocks.push({ kind: 'heading', text: heading })
    else if (item && last?.kind === 'list') last.items.push(item)
    else if (item) blocks.push({ kind: 'list', items: [item] })
    else if (!isOpen) continue
    else if (last?.kind === 'list' && /^\s/.test(line)) last.items.push(`${last.items.pop() ?? ''} ${line.trim()}`)
    else if (last?.kind === 'paragraph') last.text += `\n${line}`
    else blocks.push({ kind: 'paragraph', text: line })
  }
  return blocks
}

/** One line for truncated text; headings are omitted when there is other text. */
export const excerptOf = (text: string): string => {
  const blocks = blocksOf(text)
  const said = blocks.filter(({ kind }) => kind !== 'heading')
  return (said.length > 0 ? said : blocks)
    .map((block) => (block.kind === 'list' ? block.items.join(' · ') : block.text))
    .join(' ')
    .replaceAll('`', '')
}
