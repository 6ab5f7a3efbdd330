// Fails when a picture of the README is older than its screen. `npm run gallery` records in docs/pictures.json, next to each picture, a hash of
// the screen's sources: its components and styles in the folders of the products and the portal, without imports, comments and line breaks.
// Frames (`ui`, `shell`) are not part of it, because each of their changes would outdate every picture.
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import { root } from './run.ts'

const screens = {
  home: 'portal/home/Home.tsx',
  event: 'delivery/events/Events.tsx',
  economics: 'settlement/economics/Economics.tsx',
  fleet: 'charging/fleet/CfmDashboard.tsx',
}
export type ReadmePicture = keyof typeof screens
const names = Object.keys(screens) as ReadmePicture[] // the keys of a literal

const source = join(root, 'web/src')
const record = join(root, 'docs/pictures.json')
const isFrame = (path: string) => /^(ui|lib|shell|i18n)\//.test(path)

/** A file with the components and styles that it imports, also lazily. */
const filesOf = (path: string, files = new Map<string, string>()): Map<string, string> => {
  if (files.has(path) || isFrame(path)) return files
  const text = readFileSync(join(source, path), 'utf8')
  files.set(path, text)
  for (const [, specifier = ''] of text.matchAll(/(?:from |import\()'([#.]\/?[^']+\.(?:tsx|css))'/g))
    filesOf(
      specifier.startsWith('#') ? specifier.slice(1) : relative(source, join(source, dirname(path), specifier)),
      files,
    )
  return files
}

const drawnPart = (text: string) => text.replaceAll(/^import [^']*'[^']+'$|\/\*[\s\S]*?\*\/|^\s*\/\/.*$|\s+/gm, '')

const hashOf = (name: ReadmePicture): string => {
  const parts = [...filesOf(screens[name]).values()].map(drawnPart).toSorted()
  return createHash('sha256').update(parts.join('\n')).digest('hex').slice(0, 16)
}

const readRecord = (): Record<string, string> => JSON.parse(readFileSync(record, 'utf8')) as Record<string, string> // written here

/** For the gallery, after it has taken the picture. */
export const recordPicture = (name: ReadmePicture) =>
  writeFileSync(record, `${JSON.stringify({ ...readRecord(), [name]: hashOf(name) }, null, 2)}\n`)

if (import.meta.main) {
  // After a change that nobody can see on the picture.
  for (const name of names.filter((one) => process.argv.slice(2).includes(one))) recordPicture(name)
  const recorded = readRecord()
  for (const name of names.filter((one) => recorded[one] !== hashOf(one))) {
    process.exitCode = 1
    console.error(
      `docs/${name}.png is older than its screen (web/src/${screens[name]}): take it again, npm run gallery`,
    )
  }
}
