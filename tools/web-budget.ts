// Brotli size of the first load of the built portal: scripts and styles of sign-in, of home with its charts, and of home with its later
// requests; and what each other screen, opened cold, requests beyond home before it is shown. `node tools/web-budget.ts` fails when sign-in, home or a screen exceeds its budget, when sign-in loads the shell, and when the page does not
// name the files that a signed-in or a Danish load requests at once. Danish includes the words of the first load: sign-in and home may use no
// text of another dictionary.
import { readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { brotliCompressSync } from 'node:zlib'
import { daOfPages } from '../web/src/i18n/da.ts'
import { root } from './run.ts'

/** In English and in Danish, which brings its words. */
const budgetKb = { en: 214, da: 220 }
const screenKb = 60
/** Reported only: the palette loads after home is shown. */
const afterwards = 'home with its palette'
const firstLoads = {
  'sign-in': ['src/people/sign-in/SignIn.tsx'],
  home: ['src/shell/Shell.tsx', 'src/portal/home/Home.tsx'],
  [afterwards]: ['src/shell/Shell.tsx', 'src/portal/home/Home.tsx', 'src/shell/Palette.tsx'],
}

type Chunk = { file: string; imports?: string[]; css?: string[] }
const dist = join(root, 'web/dist')
const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8')) as Record<string, Chunk> // Vite's own file

const html = readFileSync(join(dist, 'index.html'), 'utf8')
const inHtml = [...html.matchAll(/(?:src|href)="\/(\S+\.(?:js|css))"/g)]

/** Files of the first page, of these modules, and of all their static imports. */
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

const kbs = new Map<string, number>()
const kbOf = (file: string) => {
  const kb = kbs.get(file) ?? brotliCompressSync(readFileSync(join(dist, file))).length / 1000
  kbs.set(file, kb)
  return kb
}

let isWrong = false
const fail = (words: string) => {
  isWrong = true
  console.error(words)
}
const danish = 'src/i18n/da-first.ts'
const loads = Object.entries(firstLoads).flatMap(([page, modules]) => [
  { page, name: page, modules, kb: budgetKb.en },
  { page, name: `${page} in Danish`, modules: [...modules, danish], kb: budgetKb.da },
])
for (const { page, name, modules, kb: maxKb } of loads) {
  const files = [...filesOf(modules)]
  const sum = (ending: string) => files.filter((file) => file.endsWith(ending)).reduce((kb, file) => kb + kbOf(file), 0)
  const [scripts, styles] = [sum('.js'), sum('.css')]
  console.log(
    `${name}: ${scripts.toFixed(1)} kB of script and ${styles.toFixed(1)} kB of styles in ${files.length} files, of ${maxKb} kB`,
  )
  if (page !== afterwards && scripts + styles > maxKb) fail(`${name} is over its budget`)
}

/** The page of each screen with its Danish files, as `routes.tsx` and `portal/screens` import them. */
const pagesIn = (source: string) =>
  [...source.matchAll(/import\('#([\w/-]+\.tsx)'\)((?:, '[\w-]+')*)/g)].map(([, file = '', words = '']) => ({
    page: `src/${file}`,
    words: [...words.matchAll(/[\w-]+/g)].map(([name]) => `src/i18n/da/${name}.ts`),
  }))
const screenFiles = readdirSync(join(root, 'web/src/portal/screens')).map((file) => `portal/screens/${file}`)
const sources = ['routes.tsx', ...screenFiles].map((file) => readFileSync(join(root, 'web/src', file), 'utf8'))
const firstPages = new Set([...firstLoads['sign-in'], ...firstLoads.home])
const screens = new Map(pagesIn(sources.join('\n')).map(({ page, words }) => [page, words]))

const homeFiles = filesOf([...firstLoads.home, danish])
const beyondHome = (modules: readonly string[]) =>
  [...filesOf(modules)].filter((file) => !homeFiles.has(file)).reduce((kb, file) => kb + kbOf(file), 0)
const sizes = [...screens]
  .filter(([page]) => !firstPages.has(page))
  .map(([page, words]) => {
    const english = ['src/ui/theme/mantine-pages.ts', page]
    return {
      page: page.replace('src/', '').replace('.tsx', ''),
      en: beyondHome(english),
      da: beyondHome([...english, 'src/i18n/da/shared.ts', ...words]),
    }
  })
  .toSorted((a, b) => b.da - a.da)
for (const { page, en, da } of sizes) {
  console.log(`${page}: ${en.toFixed(1)} kB beyond home, ${da.toFixed(1)} kB in Danish`)
  if (da > screenKb) fail(`${page} is over its budget of ${screenKb} kB`)
}
const over = (language: 'en' | 'da') => sizes.filter((size) => size[language] > screenKb).length

const strangers = filesOf(firstLoads['sign-in'])
for (const module of firstLoads.home) {
  const file = manifest[module]?.file ?? module
  if (strangers.has(file) || [...filesOf([module])].some((own) => /\/(shell|home)-/.test(own) && strangers.has(own)))
    fail(`sign-in brings ${module} or a part of it: see the groups of web/vite.config.ts`)
  if (!html.includes(`/${file}`)) fail(`index.html does not name ${file} for a signed-in load`)
}
if (!html.includes(`/${manifest[danish]?.file}`)) fail('index.html does not name the Danish words of the first load')

const shown = [...filesOf([...firstLoads['sign-in'], ...firstLoads.home])]
  .filter((file) => file.endsWith('.js'))
  .map((file) => readFileSync(join(dist, file), 'utf8'))
  .join('\n')
// The English singular forms are in the first load as a whole.
// What calls of products answer and what screens are for is in the first load in English; the one is shown after an act of the user, the other
// by index pages and the palette.
const { 'contract-products': _, screens: __, ...shownByPages } = daOfPages
const late = Object.values(shownByPages)
  .flatMap(Object.keys)
  .filter((key) => !key.endsWith('_one') && ['"', "'", '`'].some((quote) => shown.includes(quote + key + quote)))
if (late.length > 0) fail(`the first load shows sentences that da-first.ts lacks: ${late.join(' | ')}`)

/** Circular imports run in an undefined order, in which one file may read a value that is not set yet. */
const circleOf = (name: string, path: readonly string[]): readonly string[] | null => {
  if (path.includes(name)) return [...path.slice(path.indexOf(name)), name]
  if (sound.has(name)) return null
  for (const imported of manifest[name]?.imports ?? []) {
    const circle = circleOf(imported, [...path, name])
    if (circle) return circle
  }
  sound.add(name)
  return null
}
const sound = new Set<string>()
for (const name of Object.keys(manifest)) {
  const circle = circleOf(name, [])
  if (!circle) continue
  fail(`files of the build import each other: ${circle.join(' -> ')}`)
  break
}
console.log(
  JSON.stringify({ screens: sizes.length, maxKb: sizes[0]?.da ?? 0, over: over('en'), overInDanish: over('da') }),
)
process.exitCode = isWrong ? 1 : 0
