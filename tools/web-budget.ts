// What the first load brings over the wire, by Brotli, from the built portal: scripts and styles of sign-in, of home with its charts, and of
// home with what it fetches by itself afterwards. `node tools/web-budget.ts` fails when sign-in or home is over the budget, when sign-in brings
// the shell, and when the page does not name the files of the shell and of home, which a signed-in load asks for at once.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { root } from './run.ts'

const budgetKb = 300
/** Said only: the palette comes when home is on the screen. */
const afterwards = 'home with its palette'
const firstLoads = {
  'sign-in': ['src/pages/sign-in/SignIn.tsx'],
  home: ['src/shell/Shell.tsx', 'src/pages/home/Home.tsx'],
  [afterwards]: ['src/shell/Shell.tsx', 'src/pages/home/Home.tsx', 'src/shell/Palette.tsx'],
}

type Chunk = { file: string; imports?: string[]; css?: string[] }
const dist = join(root, 'web/dist')
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk> // Vite's own file

const html = readFileSync(join(dist, 'index.html'), 'utf8')
const inHtml = [...html.matchAll(/(?:src|href)="\/(\S+\.(?:js|css))"/g)]

/** The files of the first page, of these modules, and of all that they import before they run. */
const filesOf = (modules: readonly string[]): Set<string> => {
  const files = new Set(inHtml.flatMap(([, file]) => file ?? []))
  const seen = new Set<string>()
  const add = (name: string) => {
    const chunk = manifest[name]
    if (!chunk) throw new Error(`The build has no ${name}`)
    if (seen.has(name)) return
    seen.add(name)
    files.add(chunk.file)
    for (const style of chunk.css ?? []) files.add(style)
    for (const imported of chunk.imports ?? []) add(imported)
  }
  modules.forEach(add)
  return files
}

const kbOf = (file: string) => brotliCompressSync(readFileSync(join(dist, file))).length / 1000

let isWrong = false
const fail = (words: string) => {
  isWrong = true
  console.error(words)
}
for (const [page, modules] of Object.entries(firstLoads)) {
  const files = [...filesOf(modules)]
  const sum = (ending: string) => files.filter((file) => file.endsWith(ending)).reduce((kb, file) => kb + kbOf(file), 0)
  const [scripts, styles] = [sum('.js'), sum('.css')]
  console.log(
    `${page}: ${scripts.toFixed(0)} kB of script and ${styles.toFixed(0)} kB of styles in ${files.length} files, of ${budgetKb} kB`,
  )
  if (page !== afterwards && scripts + styles > budgetKb) fail(`${page} is over its budget`)
}

const strangers = filesOf(firstLoads['sign-in'])
for (const module of firstLoads.home) {
  const file = manifest[module]?.file ?? module
  if (strangers.has(file) || [...filesOf([module])].some((own) => /\/(shell|home)-/.test(own) && strangers.has(own)))
    fail(`sign-in brings ${module} or a part of it: see the groups of web/vite.config.ts`)
  if (!html.includes(`/${file}`)) fail(`index.html does not name ${file} for a signed-in load`)
}
process.exitCode = isWrong ? 1 : 0
