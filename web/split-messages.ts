import type { Plugin } from 'vite'
import { m } from '@gridmast/contract/messages.ts'

type Node = { type: string; start: number; end: number; [key: string]: unknown }
type Edit = { start: number; end: number; text: string }

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && 'type' in value

const nodesIn = function* (node: Node): Generator<Node> {
  yield node
  for (const value of Object.values(node))
    for (const child of Array.isArray(value) ? (value as unknown[]) : [value]) if (isNode(child)) yield* nodesIn(child)
}

const edited = (code: string, edits: readonly Edit[]): string =>
  edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, edit) => text.slice(0, edit.start) + edit.text + text.slice(edit.end), code)

/** `m` of the contract as one export for each message. */
const messagesModule = (code: string, program: Node): string => {
  const nodes = [...nodesIn(program)]
  const isMessages = (node: Node) =>
    node.type === 'VariableDeclarator' && (node['id'] as Node)['name'] === 'm' && isNode(node['init'])
  const declaration = nodes.find(({ type, declaration: of }) =>
    type === 'ExportNamedDeclaration' && isNode(of) ? [...nodesIn(of)].some(isMessages) : false,
  )
  const object = nodes.find(isMessages)?.['init'] as Node | undefined
  if (!declaration || !object) throw new Error('contract/src/messages.ts exports no m')
  const messages = (object['properties'] as (Node & { key: { name: string }; value: Node })[]).map(
    ({ key, value }) => ({
      key: key.name,
      text: `${value.type === 'CallExpression' ? '/* @__PURE__ */ ' : ''}${code.slice(value.start, value.end)}`,
    }),
  )
  const constants = messages.map(({ key, text }) => `const $${key} = ${text}`)
  const exports = `export { ${messages.map(({ key }) => `$${key} as ${key}`).join(', ')} }`
  return edited(code, [{ start: declaration.start, end: declaration.end, text: [...constants, exports].join('\n') }])
}

/** Texts are written where they are used; messages with figures are imported one by one. */
const withMessages = (code: string, program: Node): string => {
  const edits: Edit[] = []
  for (const node of nodesIn(program)) {
    const { type, start, end } = node
    if (type === 'ImportDeclaration' && (node['source'] as { value: string }).value.endsWith('messages.ts')) {
      const names = (node['specifiers'] as { local: { name: string } }[]).map(({ local }) => local.name)
      const source = code.slice((node['source'] as Node).start, (node['source'] as Node).end)
      const others = names.filter((name) => name !== 'm')
      if (!names.includes('m')) continue
      const rest = others.length > 0 ? `\nimport { ${others.join(', ')} } from ${source}` : ''
      edits.push({ start, end, text: `import * as m from ${source}${rest}` })
    }
    const { object, property, computed } = node as { object?: Node; property?: Node; computed?: boolean }
    if (type !== 'MemberExpression' || object?.['name'] !== 'm') continue
    const message: unknown = computed ? undefined : m[property?.['name'] as keyof typeof m]
    if (message === undefined) throw new Error(`No message of the contract: ${code.slice(start, end)}`)
    if (typeof message === 'string') edits.push({ start, end, text: JSON.stringify(message) })
  }
  return edited(code, edits)
}

/** The browser loads the messages that its pages show, each with its page, instead of all in the first load. */
export const splitMessages = (): Plugin => ({
  name: 'split-messages',
  apply: 'build',
  enforce: 'post',
  transform: {
    filter: { id: /(contract|web)\/src\/.*\.tsx?$/, code: /messages\.ts|withFigure/ },
    handler(code, id) {
      const program = this.parse(code) as unknown as Node
      return {
        code: id.endsWith('contract/src/messages.ts') ? messagesModule(code, program) : withMessages(code, program),
        map: null,
      }
    },
  },
})
