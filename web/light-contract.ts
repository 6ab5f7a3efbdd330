import type { Plugin } from 'vite'

type Node = { type: string; start: number; end: number }
type Property = Node & { key?: { name?: string } }
type Init = Node & { callee?: { name?: string }; arguments?: (Node & { properties?: Property[] })[] }
type Statement = Node & { declaration?: Statement; declarations?: (Node & { init: Init | null })[] }

/** Read by the API document and the server's tests, not by a browser. */
const unused = new Set(['response', 'summary'])

/**
 * Calls of the contract without the schemas of their answers, which the server's tests validate, and without their sentences for the API
 * document; what only those used is dropped too, because every initial value counts as pure.
 */
export const lightContract = (): Plugin => ({
  name: 'light-contract',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: /contract\/src\/.*\.ts$/ },
    handler(code) {
      const edits: { start: number; end: number; text: string }[] = []
      const body = this.parse(code).body as unknown as Statement[]
      for (const statement of body)
        for (const { init } of (statement.declaration ?? statement).declarations ?? []) {
          if (init?.type !== 'CallExpression') continue
          edits.push({ start: init.start, end: init.start, text: '/* @__PURE__ */ (() => ' })
          if (init.callee?.name === 'call')
            for (const property of init.arguments?.[0]?.properties ?? [])
              if (unused.has(property.key?.name ?? ''))
                edits.push({ start: property.start, end: property.end, text: '...{}' })
          edits.push({ start: init.end, end: init.end, text: ')()' })
        }
      let light = code
      for (const { start, end, text } of edits.toReversed()) light = light.slice(0, start) + text + light.slice(end)
      return { code: light, map: null }
    },
  },
})
