import { saveFile } from '#lib/download.ts'
import type { Palette } from './palette.ts'

const margin = 16
const headHeight = 40

export const savePicture = (canvas: HTMLCanvasElement, palette: Palette, title: string, foot: string, name: string) => {
  const ratio = canvas.width / canvas.clientWidth
  const picture = document.createElement('canvas')
  picture.width = canvas.width + 2 * margin * ratio
  picture.height = canvas.height + (headHeight + margin * 2) * ratio
  const context = picture.getContext('2d')
  if (!context) return
  context.scale(ratio, ratio)
  context.fillStyle = palette.card
  context.fillRect(0, 0, picture.width, picture.height)
  context.fillStyle = palette.ink1
  context.font = "600 14px 'Inter Variable', Inter, sans-serif"
  context.fillText(title, margin, margin + 14)
  context.drawImage(canvas, margin, headHeight, canvas.clientWidth, canvas.clientHeight)
  context.fillStyle = palette.ink3
  context.font = "400 11px 'Inter Variable', Inter, sans-serif"
  context.fillText(foot, margin, picture.height / ratio - margin / 2)
  picture.toBlob((blob) => blob && saveFile(blob, `${name}.png`))
}
