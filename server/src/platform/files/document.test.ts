import { extractText, getDocumentProxy } from 'unpdf'
import { expect, test } from 'vitest'
import { documentHeaders, drawDocument, type Block, type Document } from './document.ts'

const madeAt = new Date('2026-11-22T07:12:00Z')
const document = (blocks: Block[]): Document => ({
  fileName: 'a b',
  title: 'Rapport',
  language: 'da',
  madeAt,
  foot: 'rapport 7',
  blocks,
})
const read = async (blocks: Block[]) => {
  const pdf = await drawDocument('north', document(blocks))
  const { totalPages, text } = await extractText(new Uint8Array(pdf), { mergePages: false })
  return { pdf, totalPages, pages: text.map((page) => page.replaceAll(/\s+/g, ' ')) }
}

test('each block is drawn in order with letters beyond Latin 1, a language, a title and structure for screen readers', async () => {
  const { pdf, pages } = await read([
    { kind: 'title', text: 'Årsrapport', under: 'Łódź Køl ApS' },
    { kind: 'figures', figures: [{ label: 'Udledning', value: '1.234,5', unit: 'kg CO2' }] },
    { kind: 'heading', text: 'Pr. måler' },
    {
      kind: 'table',
      isSummed: true,
      columns: [
        { header: 'Måler', share: 2 },
        { header: 'kWh', share: 1, isNumber: true },
      ],
      rows: [
        ['Ærø', '12,5'],
        ['I alt', '12,5'],
      ],
    },
    { kind: 'text', text: 'Ukendt er ikke 0.', tone: 'warning' },
  ])
  expect(pages).toEqual([
    'rapport 7 1 Årsrapport Łódź Køl ApS Udledning 1.234,5 kg CO2 Pr. måler Måler kWh Ærø 12,5 I alt 12,5 Ukendt er ikke 0.',
  ])
  const proxy = await getDocumentProxy(new Uint8Array(pdf))
  expect(await proxy.getMetadata()).toMatchObject({ info: { Title: 'Rapport', Language: 'da' } })
  expect(await proxy.getMarkInfo()).toMatchObject({ Marked: true })
})

test('a long table continues on further pages, each with a header and page number, without split rows', async () => {
  const rows = Array.from({ length: 300 }, (_, i) => [`Måler ${i}\nanden linje ${i}`, `${i},0`])
  const { totalPages, pages } = await read([
    {
      kind: 'table',
      columns: [
        { header: 'Navn', share: 1 },
        { header: 'kWh', share: 1, isNumber: true },
      ],
      rows,
    },
  ])
  expect(totalPages).toBeGreaterThan(8)
  pages.forEach((page, i) => {
    expect(page).toContain('Navn kWh')
    expect(page.startsWith(`rapport 7 ${i + 1} `)).toBe(true)
  })
  const all = pages.join(' ')
  expect(rows.filter((_, i) => all.includes(`Måler ${i} anden linje ${i} ${i},0`))).toHaveLength(300)
})

test('equal content at the same instant is the same file', async () => {
  const blocks: Block[] = [{ kind: 'text', text: 'Metode' }]
  expect((await drawDocument('north', document(blocks))).equals(await drawDocument('north', document(blocks)))).toBe(
    true,
  )
})

test('a drawing error gives no partial file, and the next document is drawn', async () => {
  const broken = { kind: 'table', columns: null } as never // a shape that the types refuse
  await expect(drawDocument('north', document([broken]))).rejects.toThrow()
  expect((await read([{ kind: 'text', text: 'Igen' }])).pages[0]).toContain('Igen')
})

test('L1 a document of a disconnected caller is not drawn and does not delay the next company', async () => {
  const left = new AbortController()
  const text = { kind: 'text', text: 'Metode' } as const
  const abandoned = Array.from({ length: 4 }, () => drawDocument('west', document([text]), left.signal))
  left.abort()
  for (const one of await Promise.allSettled(abandoned)) expect(one.status).toBe('rejected')
  await expect(drawDocument('west', document([text]), left.signal)).rejects.toMatchObject({ status: 503 })
  expect((await read([text])).pages[0]).toContain('Metode')
})

test('a file name that ends its header or leaves the folder is refused', () => {
  expect(documentHeaders({ fileName: 'a"; x=\r\nb' })['content-disposition']).toBe('attachment; filename="a_x_b.pdf"')
})
