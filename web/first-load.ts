import type { Plugin } from 'vite'

/** Requested in parallel with the libraries: the shell when signed in, home at its address, the Danish words. */
const early = {
  shell: '/src/shell/Shell.tsx',
  home: '/src/portal/home/Home.tsx',
  danish: '/src/i18n/da-first.ts',
}

type Chunk = {
  type: 'chunk'
  facadeModuleId: string | null
  imports: string[]
  viteMetadata?: { importedCss: Set<string> }
}
type Bundle = Record<string, Chunk | { type: 'asset' }>

/** Latin letters, digits and signs of money: text is measured once, not again when its letters arrive. */
const font = /inter-latin-opsz-normal-.*\.woff2$/

/** A module's file with all that it imports before it runs, and their styles. */
const filesOf = (bundle: Bundle, module: string): Set<string> => {
  const files = new Set<string>()
  const add = (file: string) => {
    const chunk = bundle[file]
    if (chunk?.type !== 'chunk' || files.has(file)) return
    files.add(file)
    for (const style of chunk.viteMetadata?.importedCss ?? []) files.add(style)
    chunk.imports.forEach(add)
  }
  const [entry] = Object.entries(bundle).find(([, c]) => c.type === 'chunk' && c.facadeModuleId?.endsWith(module)) ?? []
  if (!entry) throw new Error(`The build has no ${module}`)
  add(entry)
  return files
}

/** Names those files to `first-paint.js`, which knows whether a user is signed in, and in which language. */
export const firstLoad = (): Plugin => ({
  name: 'first-load',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler: (html, { bundle }) => {
      const attributes = Object.entries(early).map(([name, module]) => {
        const files = [...filesOf(bundle ?? {}, module)].filter((file) => !html.includes(`/${file}"`))
        return `data-${name}="${files.map((file) => `/${file}`).join(' ')}"`
      })
      const letters = Object.keys(bundle ?? {}).find((file) => font.test(file))
      if (!letters) throw new Error('The build has no Latin letters')
      return {
        html: html.replace('src="/first-paint.js"', (src) => [src, ...attributes].join(' ')),
        tags: [
          {
            tag: 'link',
            attrs: {
              rel: 'preload',
              as: 'font',
              type: 'font/woff2',
              crossorigin: '',
              fetchpriority: 'low',
              href: `/${letters}`,
            },
          },
        ],
      }
    },
  },
})
