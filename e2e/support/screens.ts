import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../tools/run.ts'

/** Values for paths with a parameter. */
const examples: Record<string, string> = {
  $name: 'FCR-D-INC',
  $licenseId: '00000000-0000-4000-8000-000000000000',
  $source: 'alert',
  $market: 'FCR-D-INC',
  $: 'nowhere',
}

const pathsIn = (files: string[], row: RegExp): string[] =>
  files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(row)].map(([, path = '']) => path))

const filled = (path: string): string =>
  path.replace(/\$\w*/g, (parameter) => {
    const example = examples[parameter]
    if (!example) throw new Error(`${path}: say in e2e/support/screens.ts what ${parameter} may be`)
    return example
  })

/** Every row of `web/src/portal/screens`, parsed as text: the rows contain components, which only the portal's build can load. */
export const signedInPaths = pathsIn(
  globSync(join(root, 'web/src/portal/screens/*.ts')),
  /^ {2}'(\/[^']*)': screen\(/gm,
).map(filled)

export const publicPaths = pathsIn([join(root, 'web/src/routes.tsx')], /^ {2}'(\/[^']+)': \{/gm)
