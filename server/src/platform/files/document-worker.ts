import { join } from 'node:path'
import { parentPort, workerData } from 'node:worker_threads'
import Pdfkit from 'pdfkit'
import type { Block, Document, TableColumn } from './document.ts'

const port = parentPort
if (!port) throw new Error('Runs as a worker only')
const { title, language, madeAt, foot, landscape = false, blocks } = workerData as Document // the shape that document.ts sends

const regular = join(import.meta.dirname, 'inter/Inter-Regular.ttf')
const strong = join(import.meta.dirname, 'inter/Inter-SemiBold.ttf')

const ink = {
  text: '#111827',
  quiet: '#5b6472',
  line: '#d5dae1',
  band: '#f4f6f8',
  warning: '#8a4b00',
  brand: '#0b2545',
}
const mm = 72 / 25.4
const margin = { top: 18 * mm, bottom: 20 * mm, left: 18 * mm, right: 18 * mm }
const cellPadding = 4
/** Contextual alternates cost half of the time and change no letter in use here. */
const features = (isNumber = false) => ({ calt: false, tnum: isNumber }) as unknown as PDFKit.Mixins.OpenTypeFeatures[] // the library accepts switches too

type Pdf = PDFKit.PDFDocument

const widthOf = (pdf: Pdf) => pdf.page.width - margin.left - margin.right
const endOf = (pdf: Pdf) => pdf.page.height - margin.bottom

const needRoom = (pdf: Pdf, height: number) => {
  if (pdf.y + height > endOf(pdf)) pdf.addPage()
}

const write = (pdf: Pdf, tag: string, draw: () => void) => void pdf.addStructure(pdf.struct(tag, {}, draw))

const writeText = (
  pdf: Pdf,
  tag: string,
  text: string,
  {
    size,
    fontFile = regular,
    colour = ink.text,
    after = 4,
  }: { size: number; fontFile?: string; colour?: string; after?: number },
) => {
  const options = { width: widthOf(pdf), lineGap: 2, features: features() }
  pdf.font(fontFile).fontSize(size)
  needRoom(pdf, pdf.heightOfString(text, options))
  write(pdf, tag, () => pdf.fillColor(colour).text(text, margin.left, pdf.y, options))
  pdf.y += after
}

const writeFigures = (pdf: Pdf, figures: Extract<Block, { kind: 'figures' }>['figures']) => {
  const height = 50
  needRoom(pdf, height + 10)
  const [top, width] = [pdf.y, widthOf(pdf) / figures.length]
  figures.forEach(({ label, value, unit }, i) => {
    const left = margin.left + i * width
    write(pdf, 'P', () => {
      pdf.rect(left, top, width - 6, height).fill(ink.band)
      pdf.font(regular).fontSize(8).fillColor(ink.quiet)
      pdf.text(label, left + 8, top + 8, { width: width - 22, height: 10, ellipsis: true, features: features() })
      pdf.font(strong).fontSize(15).fillColor(ink.brand)
      pdf.text(value, left + 8, top + 22, { lineBreak: false, features: features(true) })
      const unitLeft = left + 12 + pdf.widthOfString(value, { features: features(true) })
      pdf.font(regular).fontSize(8).fillColor(ink.quiet)
      pdf.text(unit, unitLeft, top + 29, { lineBreak: false, features: features() })
    })
  })
  pdf.x = margin.left
  pdf.y = top + height + 10
}

const cellOptions = (column: TableColumn, width: number) => ({
  width: width - 2 * cellPadding,
  align: column.isNumber ? ('right' as const) : ('left' as const),
  features: features(true),
})

const writeTable = (pdf: Pdf, { columns, rows, isSummed = false }: Extract<Block, { kind: 'table' }>) => {
  const whole = columns.reduce((sum, { share }) => sum + share, 0)
  const widths = columns.map(({ share }) => (share / whole) * widthOf(pdf))
  const table = pdf.struct('Table')
  pdf.addStructure(table)
  const writeRow = (cells: readonly string[], kind: 'head' | 'sum' | 'row') => {
    const fontFile = kind === 'row' ? regular : strong
    pdf.font(fontFile).fontSize(8)
    const heights = cells.map((cell, i) => {
      const column = columns[i]
      return column ? pdf.heightOfString(cell || ' ', cellOptions(column, widths[i] ?? 0)) : 0
    })
    const height = Math.max(...heights) + 2 * cellPadding
    if (kind !== 'head' && pdf.y + height > endOf(pdf)) {
      pdf.addPage()
      writeRow(
        columns.map(({ header }) => header),
        'head',
      )
      pdf.font(fontFile).fontSize(8)
    }
    const top = pdf.y
    let left = margin.left
    const drawn = cells.map((cell, i) => {
      const [at, width, column] = [left, widths[i] ?? 0, columns[i]]
      left += width
      return pdf.struct(kind === 'head' ? 'TH' : 'TD', {}, () => {
        if (kind === 'head') pdf.rect(at, top, width, height).fill(ink.band)
        pdf
          .font(fontFile)
          .fontSize(8)
          .fillColor(kind === 'head' ? ink.quiet : ink.text)
        if (column) pdf.text(cell, at + cellPadding, top + cellPadding, cellOptions(column, width))
      })
    })
    table.add(pdf.struct('TR', {}, drawn))
    pdf
      .moveTo(margin.left, top + height)
      .lineTo(margin.left + widthOf(pdf), top + height)
      .lineWidth(0.5)
      .stroke(ink.line)
    pdf.x = margin.left
    pdf.y = top + height
  }
  needRoom(pdf, 60)
  writeRow(
    columns.map(({ header }) => header),
    'head',
  )
  rows.forEach((row, i) => writeRow(row, isSummed && i === rows.length - 1 ? 'sum' : 'row'))
  table.end()
  pdf.y += 8
}

const writeChart = (pdf: Pdf, { title, points, x, y }: Extract<Block, { kind: 'chart' }>) => {
  const [height, axis] = [130, 48]
  needRoom(pdf, height + 50)
  writeText(pdf, 'H2', title, { size: 9, fontFile: strong, colour: ink.brand, after: 6 })
  const [top, left, width] = [pdf.y, margin.left + axis, widthOf(pdf) - axis - 24]
  const scale = (ticks: typeof x, from: number, to: number) => {
    const [low, high] = [ticks[0]?.value ?? 0, ticks.at(-1)?.value ?? 1]
    return (value: number) => from + ((value - low) / (high - low || 1)) * (to - from)
  }
  const [atX, atY] = [scale(x, left, left + width), scale(y, top + height, top)]
  write(pdf, 'Figure', () => {
    pdf.font(regular).fontSize(7).fillColor(ink.quiet).lineWidth(0.5)
    for (const { value, text } of y) {
      pdf
        .moveTo(left, atY(value))
        .lineTo(left + width, atY(value))
        .stroke(ink.line)
      pdf.text(text, margin.left, atY(value) - 4, { width: axis - 6, align: 'right', features: features(true) })
    }
    for (const { value, text } of x)
      pdf.text(text, atX(value) - 40, top + height + 5, { width: 80, align: 'center', features: features(true) })
    let isDrawing = false
    for (const [at, value] of points) {
      if (value === null) isDrawing = false
      else if (isDrawing) pdf.lineTo(atX(at), atY(value))
      else pdf.moveTo(atX(at), atY(value))
      isDrawing = value !== null
    }
    pdf.lineWidth(1).lineJoin('round').stroke(ink.brand)
  })
  pdf.x = margin.left
  pdf.y = top + height + 26
}

const writeBlock = (pdf: Pdf, block: Block): void => {
  if (block.kind === 'table') return writeTable(pdf, block)
  if (block.kind === 'chart') return writeChart(pdf, block)
  if (block.kind === 'figures') return writeFigures(pdf, block.figures)
  if (block.kind === 'title') {
    writeText(pdf, 'H1', block.text, { size: 20, fontFile: strong, colour: ink.brand, after: 2 })
    return writeText(pdf, 'P', block.under, { size: 10, colour: ink.quiet, after: 12 })
  }
  if (block.kind === 'heading') {
    pdf.y += 6
    needRoom(pdf, 80)
    return writeText(pdf, 'H2', block.text, { size: 12, fontFile: strong, colour: ink.brand })
  }
  const colour = block.tone === 'warning' ? ink.warning : block.tone === 'quiet' ? ink.quiet : ink.text
  return writeText(pdf, 'P', block.text, { size: 9, colour, after: 5 })
}

const pdf = new Pdfkit({
  size: 'A4',
  layout: landscape ? 'landscape' : 'portrait',
  margins: margin,
  pdfVersion: '1.7',
  tagged: true,
  displayTitle: true,
  lang: language,
  autoFirstPage: false,
  font: regular,
  info: { Title: title, Creator: 'Gridmast', Producer: 'Gridmast', CreationDate: madeAt, ModDate: madeAt },
})

let page = 0
pdf.on('pageAdded', () => {
  page++
  const { x, y } = pdf
  pdf.markContent('Artifact', { type: 'Pagination' })
  // Text below the margin would start a new page.
  pdf.page.margins.bottom = 0
  pdf.font(regular).fontSize(7.5).fillColor(ink.quiet)
  pdf.text(foot, margin.left, endOf(pdf) + 18, { width: widthOf(pdf) - 40, height: 10, ellipsis: true })
  pdf.text(String(page), margin.left, endOf(pdf) + 18, { width: widthOf(pdf), align: 'right' })
  pdf.page.margins.bottom = margin.bottom
  pdf.endMarkedContent()
  pdf.x = x
  pdf.y = y
})

const parts: Buffer[] = []
pdf.on('data', (part: Buffer) => parts.push(part))
pdf.on('end', () => {
  const whole = new Uint8Array(Buffer.concat(parts))
  // oxlint-disable-next-line require-post-message-target-origin -- the port of a thread, not a window
  port.postMessage(whole, [whole.buffer])
})
pdf.addPage()
for (const block of blocks) writeBlock(pdf, block)
pdf.end()
