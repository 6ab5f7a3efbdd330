// Sentences with which the server or a tool of the operator refuses something or reports a fault, read from the sources: an expression in a
// text is `…`. docs/operations/messages.md explains each of them.
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync } from 'vite'
import { root } from './run.ts'

type Node = { type: string; [key: string]: unknown }

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'

const childrenOf = (node: Node): Node[] => Object.values(node).flat().filter(isNode)
const each = (node: Node, visit: (node: Node) => void): void => {
  visit(node)
  for (const child of childrenOf(node)) each(child, visit)
}
const nodeAt = (node: Node, key: string): Node | null => (isNode(node[key]) ? node[key] : null)
const nodesAt = (node: Node, key: string): Node[] => [node[key]].flat().filter(isNode)
const nameOf = (node: Node | null): string => (typeof node?.['name'] === 'string' ? node['name'] : '')

/** `owner.name` of a call, or its name alone. */
const calleeOf = (call: Node): string => {
  const callee = nodeAt(call, 'callee')
  if (callee?.type !== 'MemberExpression') return nameOf(callee)
  const owner = nodeAt(callee, 'object')
  return `${nameOf(owner?.type === 'MemberExpression' ? nodeAt(owner, 'property') : owner)}.${nameOf(nodeAt(callee, 'property'))}`
}

const declarations = (file: Node): Map<string, Node> => {
  const found = new Map<string, Node>()
  each(file, (node) => {
    const value = node.type === 'VariableDeclarator' ? nodeAt(node, 'init') : null
    if (value) found.set(nameOf(nodeAt(node, 'id')), value)
  })
  return found
}

const returnsOf = (body: Node): Node[] => {
  const found: Node[] = []
  each(body, (node) => {
    const value = node.type === 'ReturnStatement' ? nodeAt(node, 'argument') : null
    if (value) found.push(value)
  })
  return found
}

/** The texts of both branches, `…` for a branch without one. */
const choicesOf = (node: Node | null, of: Map<string, Node>, depth: number): string[] => {
  if (node?.type === 'ConditionalExpression')
    return [...choicesOf(nodeAt(node, 'consequent'), of, depth), ...choicesOf(nodeAt(node, 'alternate'), of, depth)]
  const texts = textsOf(node, of, depth).filter((text) => text !== '')
  return texts.length > 0 || node?.['value'] === null ? texts : ['…']
}

/** The texts of an expression; none for a text that another place wrote. */
const textsOf = (node: Node | null, of: Map<string, Node>, depth = 0): string[] => {
  if (!node || depth > 12) return []
  const texts = (key: string) => textsOf(nodeAt(node, key), of, depth + 1)
  if (node.type === 'Literal') return typeof node['value'] === 'string' ? [node['value']] : []
  if (node.type === 'TemplateLiteral') {
    const [first = '', ...rest] = nodesAt(node, 'quasis').map((part) => (part['value'] as { cooked: string }).cooked) // ESTree
    const values = nodesAt(node, 'expressions').map((value) => {
      const choice = value.type === 'Identifier' ? of.get(nameOf(value)) : undefined
      return choice?.type === 'ConditionalExpression' ? choicesOf(choice, of, depth + 1) : ['…']
    })
    return rest.reduce(
      (texts, part, i) => texts.flatMap((text) => (values[i] ?? []).map((value) => `${text}${value}${part}`)),
      [first],
    )
  }
  if (node.type === 'BinaryExpression') {
    const [left = '…', right = '…'] = [texts('left')[0], texts('right')[0]]
    return [`${left}${right}`]
  }
  if (node.type === 'ConditionalExpression') return [...texts('consequent'), ...texts('alternate')]
  if (node.type === 'LogicalExpression') return [...texts('left'), ...texts('right')]
  if (node.type === 'ArrowFunctionExpression') return texts('body')
  if (node.type === 'ChainExpression' || node.type === 'ParenthesizedExpression') return texts('expression')
  if (node.type === 'Property') return texts('value')
  if (node.type === 'BlockStatement') return returnsOf(node).flatMap((value) => textsOf(value, of, depth + 1))
  if (node.type === 'ObjectExpression')
    return nodesAt(node, 'properties').flatMap((property) => textsOf(property, of, depth + 1))
  if (node.type === 'Identifier') return textsOf(of.get(nameOf(node)) ?? null, of, depth + 1)
  if (node.type === 'MemberExpression') {
    const table = of.get(nameOf(nodeAt(node, 'object')))
    return table?.type === 'ObjectExpression' ? textsOf(table, of, depth + 1) : []
  }
  if (node.type === 'CallExpression') {
    const callee = nodeAt(node, 'callee')
    return textsOf(callee?.type === 'Identifier' ? (of.get(nameOf(callee)) ?? null) : callee, of, depth + 1)
  }
  return []
}

const refusals = new Set(['fail', 'refuse', 'console.error', 'stderr.write', 'stopBecause'])
const logged = /(^|\.)log\.(warn|error|fatal)$/

const messagesOf = (path: string, isLogOnly: boolean): string[] => {
  const file = parseSync(path, readFileSync(join(root, path), 'utf8')).program as unknown as Node // ESTree
  const of = declarations(file)
  const found: string[] = []
  const isSettings = !path.includes('/provisioning/') // a file of customers names its own mistakes
  each(file, (node) => {
    const args = nodesAt(node, 'arguments')
    if (node.type === 'CallExpression' && logged.test(calleeOf(node)))
      found.push(...args.filter(({ type }) => type !== 'ObjectExpression').flatMap((arg) => textsOf(arg, of)))
    else if (isLogOnly) return
    else if (node.type === 'NewExpression' && calleeOf(node) === 'Error') {
      const texts = textsOf(args[0] ?? null, of)
      if (texts.length === 0 && args[0]?.type === 'Identifier')
        throw new Error(`${path}: the text of an error is not read from ${nameOf(args[0])}`)
      found.push(...texts)
    } else if (node.type === 'CallExpression' && refusals.has(calleeOf(node)))
      found.push(...textsOf(args[0] ?? null, of))
    else if (isSettings && (node.type === 'Literal' || node.type === 'TemplateLiteral'))
      found.push(...textsOf(node, of).filter((text) => text.startsWith('expected ')))
  })
  return found
}

const sources = (...patterns: string[]) =>
  globSync(patterns, { cwd: root }).filter((path) => !/\.(test|process|fixture)\.ts$|\/testing\//.test(path))

/** What an operator runs; the other tools are for developers. */
const tools = ['backfill', 'backup', 'backups', 'build', 'installation', 'move', 'operator', 'readings-server']
const moreTools = ['restore', 'restored', 'start', 'tenant-exit', 'through-server', 'verify-record']
const refusing = sources(
  ...[...tools, ...moreTools].map((name) => `tools/${name}.ts`),
  'tools/{bootstrap,serve}.mjs',
  'server/src/{config,main,stores}.ts',
  'server/src/{operator,readings,roles}/**/*.ts',
  'server/src/platform/{process,records,security}/**/*.ts',
  'server/src/platform/http/errors.ts',
)

export const collectMessages = (): Set<string> => {
  const inLog = sources('server/src/**/*.ts').filter((path) => !refusing.includes(path))
  return new Set([
    ...refusing.flatMap((path) => messagesOf(path, false)),
    ...inLog.flatMap((path) => messagesOf(path, true)),
  ])
}
